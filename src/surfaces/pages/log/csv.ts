/** One row of a CSV file (RFC 4180), ended by CRLF. */
export const csvRow = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** A cell, quoted where it must be; what a spreadsheet would run as a formula is made text by an apostrophe. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
