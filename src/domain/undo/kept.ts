import type { Transaction } from "../../db/pool/database.ts";
import type { Change } from "../changes/change.ts";
import { recordItems } from "../changes/record-items.ts";
import type { KeptField, UndoneRecord } from "../changes/undone-record.ts";

/** What an undo left alone in a record: an item of the undo, which its next round takes up. */
export interface KeptItem {
  /** The item's id. */
  id: string;
  record: string;
  /** Such as `row`; values of leads that nobody sees are `hidden`, and the surviving lead of a merge is `merge`. */
  kind: string;
  datasetId: string | undefined;
  /** By the names that the record's kind has for its fields. */
  fields: readonly KeptField[];
  /** The run of the undo that wrote the record last, if one did. */
  run: string | undefined;
}

/** `slot` is the field's name where callers know it by another one. */
type StoredField = KeptField & { slot?: string | null };

interface Row {
  id: string;
  record: string;
  dataset: string | null;
  after: { kind?: string; kept: StoredField[]; put_back?: string[]; run?: string };
}

const TAKEN = `'[{"reason": "taken"}]'::jsonb`;

const KEPT = `SELECT id, record_id AS record, dataset_id AS dataset, after FROM change_item
  WHERE project_id = $1 AND change_id = $2 AND kind = 'kept' AND after ->> 'of' IS NOT DISTINCT FROM $3
    AND coalesce(after ->> 'kind', 'row') = ANY ($4)`;

const NEXT = `${KEPT} AND id > $5 AND (NOT $6 OR after -> 'kept' @> ${TAKEN}) ORDER BY id LIMIT $7`;

const OF_RECORDS = `${KEPT} AND record_id = ANY ($5)`;

/** Which kept items: those of a change, or of a part of one, and of these kinds of records. */
export interface KeptOf {
  key: string | null;
  kinds: readonly string[];
}

/** Returns the next kept items of an undo behind one; `taken` are only those that wait for a value of another record. */
export async function nextKept(
  tx: Transaction,
  undo: Change,
  { key, kinds }: KeptOf,
  { after, taken, limit }: { after: string; taken: boolean; limit: number },
): Promise<KeptItem[]> {
  const values = [undo.by.projectId, undo.id, key, kinds, after, taken, limit];
  return (await tx.query<Row>(NEXT, values)).map(itemOf);
}

/** Returns what an undo has kept of these records so far. */
export async function keptOfRecords(
  tx: Transaction,
  undo: Change,
  { key, kinds }: KeptOf,
  records: readonly string[],
): Promise<KeptItem[]> {
  return (await tx.query<Row>(OF_RECORDS, [undo.by.projectId, undo.id, key, kinds, records])).map(itemOf);
}

function itemOf({ id, record, dataset, after }: Row): KeptItem {
  const { kind = "row", kept, put_back: before = [], run = before.length > 0 ? "" : undefined } = after;
  const fields = kept.map(({ slot, ...each }) => (slot === undefined ? each : { ...each, field: slot }));
  return { id, record, kind, datasetId: dataset ?? undefined, fields, run };
}

/** What a step leaves of a record's kept fields. */
export interface Left {
  shown: Pick<UndoneRecord, "id" | "datasetId">;
  kind: string;
  fields: readonly KeptField[];
  keyOf: ((field: string) => string) | undefined;
  run: string | undefined;
  /** The item that it replaces. */
  item: KeptItem | undefined;
}

const REPLACE = `UPDATE change_item SET after = g.after FROM jsonb_to_recordset($3::jsonb) AS g (id text, after jsonb)
  WHERE project_id = $1 AND change_id = $2 AND change_item.id = g.id`;

const DROP = "DELETE FROM change_item WHERE project_id = $1 AND change_id = $2 AND id = ANY ($3)";

/** In two statements: a cluster refuses to compute the new value within the update. */
const COUNTED = `SELECT coalesce((counts ->> 'kept')::integer, 0) AS kept FROM change WHERE project_id = $1 AND id = $2 FOR UPDATE`;
const COUNT = "UPDATE change SET counts = (counts - 'kept') || $3::jsonb WHERE project_id = $1 AND id = $2";

/** Stores what is kept now, and drops the items of which nothing is kept any more; returns by how many items there are more. */
export async function saveKept(
  tx: Transaction,
  undo: Change,
  key: string | null,
  left: readonly Left[],
): Promise<number> {
  const own = [undo.by.projectId, undo.id];
  const stored = ({ kind, fields, keyOf, run }: Left) => ({
    kind,
    ...(key === null ? {} : { of: key }),
    ...(run === undefined ? {} : { run }),
    kept: fields.map((each) => storedField(each, keyOf)),
  });
  const some = left.filter(({ fields }) => fields.length > 0);
  const fresh = some.filter(({ item }) => item === undefined);
  if (fresh.length > 0) {
    const items = fresh.map((each) => ({
      ...{ kind: "kept" as const, recordId: each.shown.id, before: null, after: stored(each) },
      ...(each.shown.datasetId === undefined ? {} : { datasetId: each.shown.datasetId }),
    }));
    await recordItems(tx, undo, { kept: fresh.length }, items);
  }
  const replaced = some.flatMap((each) =>
    each.item === undefined ? [] : [{ id: each.item.id, after: stored(each) }],
  );
  if (replaced.length > 0) await tx.query(REPLACE, [...own, JSON.stringify(replaced)]);
  const dropped = left.flatMap(({ fields, item }) =>
    fields.length > 0 || item === undefined ? [] : [item.id],
  );
  if (dropped.length > 0) {
    await tx.query(DROP, [...own, dropped]);
    const [counted] = await tx.query<{ kept: number }>(COUNTED, own);
    const left = (counted?.kept ?? 0) - dropped.length;
    await tx.query(COUNT, [...own, JSON.stringify(left > 0 ? { kept: left } : {})]);
  }
  return fresh.length - dropped.length;
}

/** A kept field as callers see it. */
export const shownKept = ({ field, reason, by, change_id: change, at }: KeptField) => ({
  ...{ field, reason, by: by ?? null, change_id: change ?? null, at: at ?? null },
});

const storedField = (kept: KeptField, keyOf: Left["keyOf"]): StoredField => {
  const { field } = kept;
  if (keyOf === undefined) return shownKept(kept) as StoredField;
  return {
    slot: field,
    ...shownKept({ ...kept, field: field === null ? null : keyOf(field) }),
  } as StoredField;
};
