const SECOND = 1_000;
/** Day 0 of both date systems of spreadsheets, on which cells that hold only a time of day fall. */
const DAYS_0 = ["1899-12-30", "1904-01-01"];

/**
 * Returns a date cell as its spreadsheet shows it: `2026-03-31`, `2026-03-31T13:45:00`, or `13:45:00` for a time
 * without a day. Cells count days in binary fractions, which miss most seconds by a little, so it is rounded.
 */
export function sheetDate(cell: Date): string {
  const text = new Date(Math.round(cell.getTime() / SECOND) * SECOND).toISOString();
  const at = text.indexOf("T");
  const [day, time] = [text.slice(0, at), text.slice(at + 1, at + 9)];
  // Midnight of 1 January 1904 is a day in the older system, and a time in the other.
  if (day === DAYS_0[0] || (day === DAYS_0[1] && time !== "00:00:00")) return time;
  return time === "00:00:00" ? day : `${day}T${time}`;
}
