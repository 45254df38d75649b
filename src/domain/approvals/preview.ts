import { hashOf } from "../../core/secret.ts";

/** What a proposed operation would do, as a rehearsal of it found. */
export interface Preview {
  /** How many records would change. */
  total: number;
  /** The first of them. */
  records: PreviewRecord[];
  /** False if only a part was rehearsed, because more than 10,000 records would change. */
  complete: boolean;
  /** Whether a job would do it. */
  in_background: boolean;
  /** Items of a batch that would be refused; the first 50. */
  failures: PreviewFailure[];
}

export interface PreviewFailure {
  path: string;
  code: string;
  message: string;
}

/** What would happen to one record. */
export interface PreviewRecord {
  /** `lead`, `row`, `dataset`, `view`, or what else a change may touch. */
  kind: string;
  /** Null for a record that does not exist yet. */
  id: string | null;
  dataset_id: string | null;
  name: string | null;
  outcome: string;
  /** Without values if more than 10,000 records would be undone. */
  changes: { field: string; from?: unknown; to?: unknown }[];
  /** Events that a lead would get. */
  events: { type: string; title: string; occurred_at: string; data: unknown }[];
  /** Fields that an undo would leave alone. */
  kept: string[];
}

/** A record without anything. */
export const PLAIN_RECORD: Omit<PreviewRecord, "kind" | "name" | "outcome"> = {
  ...{ id: null, dataset_id: null, changes: [], events: [], kept: [] },
};

/** Returns a text that differs for previews that people would tell apart. The time of the rehearsal is left out. */
export function previewMark({ total, records, failures }: Preview): string {
  const shown = records.map(({ events, ...record }) => [
    record,
    events.map(({ type, title, data }) => ({ type, title, data })),
  ]);
  return hashOf(JSON.stringify([total, shown, failures.length])).toString("base64url");
}
