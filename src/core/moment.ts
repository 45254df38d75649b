/** The date in ISO 8601 with an explicit offset and milliseconds: `2026-11-21T05:00:00.000+00:00`, never `Z`. */
export function isoMoment(date: Date): string {
  return date.toISOString().replace("Z", "+00:00");
}

/** The same for a date from an input; undefined if it is invalid or outside the years 1 to 9999 in UTC. */
export function givenMoment(date: Date): string | undefined {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9_999 ? isoMoment(date) : undefined;
}
