const TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
  json: "application/json; charset=utf-8",
} as const;

/** The formats of a lead file. */
export type FileFormat = keyof typeof TYPES;

/** Returns the content type of a lead file and the name under which browsers save it. */
export const fileHeaders = (
  name: string,
  format: FileFormat,
): { type: string; headers: Record<string, string> } => ({
  type: TYPES[format],
  headers: { "Content-Disposition": `attachment; filename="${name}.${format}"`, "Cache-Control": "no-store" },
});
