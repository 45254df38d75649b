import { newId } from "../../core/id.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { Change } from "./change.ts";

/** What a change did to one record, where no event has the values. */
export interface ChangeItem {
  kind: "lead" | "hidden" | "row" | "event" | "field" | "statuses" | "untracked" | "kept";
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

const ADD = `WITH added AS (
    INSERT INTO change_item (project_id, change_id, id, kind, record_id, dataset_id, before, after, version, told)
    SELECT $1, $2, g.id, g.kind, g.record_id, g.dataset_id, g.before, g.after, g.version, g.told
    FROM jsonb_to_recordset($3::jsonb) AS g (id text, kind text, record_id text, dataset_id text,
      before jsonb, after jsonb, version integer, told boolean)
    RETURNING coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) AS bytes
  ) UPDATE change SET bytes = bytes + (SELECT coalesce(sum(added.bytes), 0) FROM added)
  WHERE project_id = $1 AND id = $2`;

/** Adds items to a change that is recorded in this transaction, in their order. */
export async function addItems(
  tx: Pick<Transaction, "query">,
  change: Change,
  items: readonly ChangeItem[],
): Promise<void> {
  if (items.length === 0) return;
  const given = items.map(
    ({ kind, recordId, datasetId = null, before, after, version = null, told = false }) => ({
      ...{ id: newId("evt"), kind, record_id: recordId, dataset_id: datasetId },
      ...{ before, after, version, told },
    }),
  );
  await tx.query(ADD, [change.by.projectId, change.id, JSON.stringify(given)]);
}

/** The item of a custom field's value of a lead that nobody sees: it is deleted, or merged into another one. */
export const valueItem = (leadId: string, key: string, before: unknown, after: unknown): ChangeItem => ({
  kind: "hidden",
  recordId: leadId,
  before: { [`custom.${key}`]: before },
  after: { [`custom.${key}`]: after },
});
