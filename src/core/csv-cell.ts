/** Returns a text as a CSV cell, quoted if necessary (RFC 4180 2.6 and 2.7). */
export const csvCell = (text: string, delimiter: string): string =>
  /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
