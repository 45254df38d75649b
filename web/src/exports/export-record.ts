import type { ExportFormat } from "../../../src/contract/lists/files.ts";
import type { JobState } from "../../../src/contract/lists/states.ts";
export interface ExportRecord {
  id: string;
  state: JobState;
  format: ExportFormat;
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

/** Whether there is a file to download. */
export const hasFile = ({ state, expires_at: until }: ExportRecord): boolean =>
  state === "done" && (until === null || Date.parse(until) > Date.now());
