type Format = "csv" | "ndjson" | "json";
export type ExportState = "waiting" | "running" | "done" | "failed" | "cancelled";

export interface ExportRecord {
  id: string;
  state: ExportState;
  format: Format;
  /** What was asked for: which leads, which columns. */
  query: {
    filter?: unknown;
    search?: string;
    columns?: string[];
    fields?: string[];
    [more: string]: unknown;
  };
  actor: { type: string; id: string | null; label: string | null } | null;
  /** Rows of `total` that are made. */
  done: number;
  total: number | null;
  bytes: number | null;
  error: { code: string; message: string } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** When the file goes. */
  expires_at: string | null;
}

export const isExportBusy = ({ state }: { state: ExportState }): boolean =>
  state === "waiting" || state === "running";

/** Whether there is a file to fetch. */
export const hasFile = ({ state, expires_at: until }: ExportRecord): boolean =>
  state === "done" && (until === null || Date.parse(until) > Date.now());
