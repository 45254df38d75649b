/** What a change did to one record, where no event has the values. */
export interface ChangeItem {
  kind: "lead" | "hidden" | "row" | "event" | "field" | "statuses" | "untracked" | "view" | "kept" | "undone";
  recordId: string;
  datasetId?: string;
  /** The values by field or slot; null for a record that the change made. */
  before: object | null;
  /** Null for a record that the change removed. */
  after: object | null;
  /** The record's version after the change. */
  version?: number;
  /** Whether the feed tells it, because no event does. */
  told?: boolean;
}
