import type { Actor } from "../../contract/basics/actor.ts";
import type { KeptReason } from "../../contract/lists/changes.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { Change } from "../changes/change.ts";
import type { ChangeItem } from "../changes/change-items.ts";
import { STANDS_SQL } from "../changes/mark-undone.ts";
import { recordItems } from "../changes/record-items.ts";
import type { Column } from "../fields/column.ts";

/** What an undo left alone in a row: a slot, or null for the whole row. */
interface KeptSlot {
  slot: string | null;
  reason: KeptReason;
  /** The item that it could not take back. */
  item: string;
  by?: Actor;
  change_id?: string;
  at?: string;
}

/** What earlier batches of the undo did to a row. */
export interface Earlier {
  written: boolean;
  /** What they kept, by slot. */
  slots: (string | null)[];
}

/** What a batch of an undo does to a row. */
export interface RowOutcome {
  id: string;
  did: "put_back" | "deleted" | "restored" | "nothing";
  items: (ChangeItem & { id: string })[];
  kept: KeptSlot[];
  putBack: Set<string>;
  /** All slots that are kept. */
  slots: Set<string | null>;
  earlier: Earlier | undefined;
}

/** `concat` makes the planner look for the rows, and not read all that the undo has done so far. */
const EARLIER = `SELECT record_id AS id, bool_or(kind = 'row') AS written,
    coalesce((array_agg(jsonb_path_query_array(after, '$.kept[*].slot')) FILTER (WHERE kind = 'kept'))[1], '[]') AS slots
  FROM change_item WHERE project_id = $1 AND concat(change_id) = $2 AND record_id = ANY ($3) AND kind IN ('row', 'kept')
  GROUP BY record_id`;

/** Returns what the undo has done so far to these rows. */
export async function earlierOf(
  tx: Pick<Transaction, "query">,
  undo: Change,
  ids: readonly string[],
): Promise<Map<string, Earlier>> {
  const found = await tx.query<Earlier & { id: string }>(EARLIER, [undo.by.projectId, undo.id, ids]);
  return new Map(found.map(({ id, ...earlier }) => [id, earlier]));
}

/** The latest change after the item that set the slot, or that created or deleted the row; first of those that stand. */
const SINCE = `SELECT DISTINCT ON (g.record_id, g.slot) g.record_id, g.slot, c.id AS change_id, c.actor AS by,
    to_json(i.at) #>> '{}' AS at
  FROM jsonb_to_recordset($2::jsonb) AS g (record_id text, slot text, item text)
  JOIN change_item i ON i.project_id = $1 AND i.record_id = g.record_id AND i.id > g.item AND i.kind = 'row'
    AND i.change_id NOT IN ($3, $4)
    AND (g.slot IS NULL OR i.before IS NULL OR i.after IS NULL OR i.after ? g.slot)
  JOIN change c ON c.project_id = $1 AND c.id = i.change_id
  ORDER BY g.record_id, g.slot, ${STANDS_SQL} DESC, i.id DESC`;

/** Adds who has changed what is kept, as far as later changes tell it. */
export async function nameAuthors(
  tx: Pick<Transaction, "query">,
  undo: Change,
  of: string,
  outcomes: readonly RowOutcome[],
): Promise<void> {
  const all = outcomes.flatMap(({ id, kept }) =>
    kept
      .filter(({ reason }) => reason === "changed_since" || reason === "gone")
      .map((each) => ({ record: id, each })),
  );
  if (all.length === 0) return;
  const sought = all.map(({ record, each: { slot, item } }) => ({ record_id: record, slot, item }));
  const found = await tx.query<{ record_id: string; slot: string | null } & Required<Author>>(SINCE, [
    ...[undo.by.projectId, JSON.stringify(sought), undo.id, of],
  ]);
  const authors = new Map(
    found.map(({ record_id, slot, ...author }) => [`${record_id} ${slot ?? ""}`, author]),
  );
  for (const { record, each } of all) Object.assign(each, authors.get(`${record} ${each.slot ?? ""}`));
}

type Author = Pick<KeptSlot, "by" | "change_id" | "at">;

const ADD_TO = `UPDATE change_item SET after = jsonb_set(after, '{kept}', (after -> 'kept') || g.kept)
  FROM jsonb_to_recordset($3::jsonb) AS g (record_id text, kept jsonb)
  WHERE project_id = $1 AND change_id = $2 AND kind = 'kept' AND change_item.record_id = g.record_id`;

/** Records what is kept, in one item of the undo for each row: `{kept: [{slot, field, reason, by, change_id, at}]}`. */
export async function keptItems(
  tx: Pick<Transaction, "query">,
  undo: Change,
  datasetId: string,
  columns: readonly Column[],
  outcomes: readonly RowOutcome[],
): Promise<void> {
  const keys = new Map(columns.map(({ slot, key }) => [slot, key]));
  const all = outcomes
    .filter(({ kept }) => kept.length > 0)
    .map(({ id, kept, earlier }) => ({
      isNew: (earlier?.slots.length ?? 0) === 0,
      record_id: id,
      kept: kept.map(({ item: _, slot, ...each }) => ({
        ...{ slot, field: slot === null ? null : (keys.get(slot) ?? null) },
        ...each,
      })),
    }));
  const items = all
    .filter(({ isNew }) => isNew)
    .map(
      ({ record_id: recordId, kept }): ChangeItem => ({
        ...{ kind: "kept", recordId, datasetId, before: null, after: { kept } },
      }),
    );
  if (items.length > 0) await recordItems(tx, undo, { kept: items.length }, items);
  const more = all.filter(({ isNew }) => !isNew);
  if (more.length > 0) await tx.query(ADD_TO, [undo.by.projectId, undo.id, JSON.stringify(more)]);
}
