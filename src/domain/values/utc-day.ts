/** The midnight of a day in UTC; month 0 is January. `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
export const utcDay = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month, day);
