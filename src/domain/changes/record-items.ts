import type { ChangeCount } from "../../contract/lists/changes.ts";
import { newId } from "../../core/id.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Change } from "./change.ts";
import type { ChangeItem } from "./change-items.ts";
import { authorSql, changeSql } from "./record-change.ts";

/** SQL for the size of an item, in a RETURNING list. */
export const ITEM_BYTES =
  "coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) AS bytes";

/** SQL for the size of the items that the CTE `added` returned. */
export const ADDED_BYTES = "(SELECT coalesce(sum(added.bytes), 0) FROM added)";

/**
 * Records a part of a change with its items, in their order: one statement, after the writes of the transaction.
 * Items may bring their ids, which are then in the given order.
 */
export async function recordItems(
  tx: Pick<Transaction, "query">,
  change: Change,
  counts: Partial<Record<ChangeCount, number>>,
  items: readonly (ChangeItem & { id?: string })[],
): Promise<void> {
  const parameters = new Parameters();
  const given = items.map(
    ({ id = newId("evt"), kind, recordId, datasetId, before, after, version, told }) => ({
      ...{ id, kind, record_id: recordId, dataset_id: datasetId, before, after, version, told },
    }),
  );
  const told = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  const added = `INSERT INTO change_item (project_id, change_id, id, kind, record_id, dataset_id, before, after, version, told)
    SELECT ${parameters.text(change.by.projectId)}, ${parameters.text(change.id)}, g.id, g.kind, g.record_id, g.dataset_id,
      g.before, g.after, g.version, coalesce(g.told, false)
    FROM jsonb_to_recordset(${parameters.add(JSON.stringify(given))}::jsonb) AS g (id text, kind text, record_id text,
      dataset_id text, before jsonb, after jsonb, version integer, told boolean)
    RETURNING ${ITEM_BYTES}`;
  const noted = changeSql(change, parameters, {
    counts: `${parameters.text(JSON.stringify(told))}::jsonb`,
    actor: authorSql(change, parameters),
    bytes: ADDED_BYTES,
  });
  await tx.query(`WITH added AS (${added}) ${noted}`, parameters.values);
  change.made = true;
}
