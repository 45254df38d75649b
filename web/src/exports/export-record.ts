type Format = "csv" | "ndjson" | "json";
export type ExportState = "waiting" | "running" | "done" | "failed" | "cancelled";

export interface ExportRecord {
  id: string;
  state: ExportState;
  format: Format;
  /** The requested leads and columns. */
  query: {
    filter?: unknown;
    search?: string;
    columns?: string[];
    fields?: string[];
    [more: string]: unknown;
  };
  actor: { type: string; id: string | null; label: string | null } | null;
  /** The rows written so far, out of `total`. */
  done: number;
  total: number | null;
  bytes: number | null;
  error: { code: string; message: string } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** When the file expires. */
  expires_at: string | null;
}

export const isExportBusy = ({ state }: { state: ExportState }): boolean =>
  state === "waiting" || state === "running";

/** Whether there is a file to download. */
export const hasFile = ({ state, expires_at: until }: ExportRecord): boolean =>
  state === "done" && (until === null || Date.parse(until) > Date.now());
