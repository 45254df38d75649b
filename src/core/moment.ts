/** ISO 8601 with an explicit offset, whole to the millisecond: `2026-11-21T05:00:00.000+00:00`, never `Z`. */
export function isoMoment(date: Date): string {
  return date.toISOString().replace("Z", "+00:00");
}
