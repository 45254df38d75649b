/** The units of a length of time in filters. */
export const UNITS = ["minute", "hour", "day", "week", "month", "year"] as const;
export type Unit = (typeof UNITS)[number];

/** The lengths of calendar periods; weeks start on Monday. */
export const INTERVALS = ["day", "week", "month", "quarter", "year"] as const;
export type Interval = (typeof INTERVALS)[number];

/** The calendar periods of filters. */
export const PERIODS = [
  ...(["today", "yesterday", "tomorrow"] as const),
  ...(["this_week", "this_month", "this_quarter", "this_year"] as const),
  ...(["last_week", "last_month", "last_quarter", "last_year"] as const),
  ...(["next_week", "next_month", "next_quarter", "next_year"] as const),
] as const;
export type Period = (typeof PERIODS)[number];
