const TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
  json: "application/json; charset=utf-8",
} as const;

/** How a file of leads may look. */
export type FileFormat = keyof typeof TYPES;

/** The type of a file of leads, and the name under which a browser keeps it. */
export const fileHeaders = (
  name: string,
  format: FileFormat,
): { type: string; headers: Record<string, string> } => ({
  type: TYPES[format],
  headers: { "Content-Disposition": `attachment; filename="${name}.${format}"`, "Cache-Control": "no-store" },
});
