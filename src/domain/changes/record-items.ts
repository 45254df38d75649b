import type { ChangeCount } from "../../contract/lists/changes.ts";
import { newId } from "../../core/id.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { Parameters } from "../sql/parameters.ts";
import { type Change, made } from "./change.ts";
import type { ChangeItem } from "./change-items.ts";
import { authorSql, changeSql } from "./record-change.ts";

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
  const noted = changeSql(change, parameters, {
    counts: `${parameters.text(JSON.stringify(told))}::jsonb`,
    bytes:
      "(SELECT coalesce(sum(coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)), 0) FROM given)",
  });
  const text = `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${parameters.add(JSON.stringify(given))}::jsonb) AS g (id text, kind text, record_id text,
      dataset_id text, before jsonb, after jsonb, version integer, told boolean)
  ), ${authorSql(change, parameters)}, ${noted}, added AS (
    INSERT INTO change_item (project_id, change_id, id, kind, record_id, dataset_id, before, after, version, told)
    SELECT ${parameters.text(change.by.projectId)}, ${parameters.text(change.id)}, id, kind, record_id, dataset_id,
      before, after, version, coalesce(told, false) FROM given
  ) SELECT FROM author`;
  await tx.query(text, parameters.values);
  const rows = Map.groupBy(items, ({ datasetId }) => datasetId);
  const added = [...rows].flatMap(([id, { length }]) =>
    id === undefined ? [] : [[`dataset_row ${id}`, length]],
  );
  made(change, { change_item: items.length, ...Object.fromEntries(added) });
}
