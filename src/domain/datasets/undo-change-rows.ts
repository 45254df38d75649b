import type { ChangeCount } from "../../contract/lists/changes.ts";
import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { Change } from "../changes/change.ts";
import type { ChangeItem } from "../changes/change-items.ts";
import { STANDS_SQL } from "../changes/mark-undone.ts";
import { recordItems } from "../changes/record-items.ts";
import type { UndoneRecord } from "../changes/undone-record.ts";
import { type Dataset, findDataset } from "./definition/dataset.ts";
import { type Earlier, earlierOf, keptItems, nameAuthors, type RowOutcome } from "./kept-rows.ts";
import { fillComing, type RowPatch } from "./rows/read-row.ts";
import { removeInOrder } from "./rows/remove-rows.ts";
import { RowIdentityMap } from "./rows/row-identity-map.ts";
import { saveRows } from "./rows/save-rows.ts";
import { type RowItem, type UndoStep, undoStep } from "./rows/undo-step.ts";

const BATCH = 500;

/** The planner takes a table that was never analyzed for empty, and would read all items for each row. */
const BY_INDEX = "SELECT set_config('enable_seqscan', 'off', true)";

const PAGE = `SELECT id, dataset_id FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind = 'row'
  AND ($3::text IS NULL OR id < $3) ORDER BY id DESC LIMIT ${BATCH}`;

/** In the order in which erasures lock datasets. */
const DATASETS = `SELECT dataset_id AS id, min(id) AS first, count(*)::integer AS items FROM (${PAGE}) AS page
  GROUP BY dataset_id ORDER BY dataset_id`;

/** `concat` makes the planner look for the few items of the row, instead of reading all of the project's rows. */
const ITEMS = `SELECT i.id, i.record_id, i.before, i.after, i.version, later.* FROM change_item i CROSS JOIN LATERAL (
    SELECT count(DISTINCT o.version) FILTER (WHERE o.version > i.version)::integer AS versions, coalesce(max(o.version), i.version) AS latest, coalesce(bool_or(stands), false) AS "hasOthers",
      coalesce(jsonb_agg(ARRAY(SELECT jsonb_object_keys(o.after))) FILTER (WHERE stands), '[]') AS "otherSlots"
    FROM change_item o JOIN change c ON c.project_id = $1 AND c.id = o.change_id,
      LATERAL (SELECT o.change_id NOT IN ($2, $3) AND ${STANDS_SQL} AS stands) AS each
    WHERE o.project_id = $1 AND o.record_id = i.record_id AND concat(o.kind) = 'row'
      AND (o.version, o.id) > (i.version, i.id)) AS later
  WHERE i.project_id = $1 AND i.change_id = $2 AND i.kind = 'row'
    AND ($4::text IS NULL OR i.id < $4) AND i.id >= $5 AND i.dataset_id = $6 ORDER BY i.id DESC`;

/**
 * Undoes a batch of what the change `of` did to rows, from its end to its start, and records it in `undo` with what is
 * kept. Returns the records and the item before which the next batch continues; call it in a transaction with that.
 */
export async function undoRows(
  tx: Transaction,
  undo: Change,
  of: string,
  before: { id: string } | null,
): Promise<{ done: UndoneRecord[]; next: string | null }> {
  const { projectId } = undo.by;
  const from = before?.id ?? null;
  await tx.query(BY_INDEX);
  const page = await tx.query<{ id: string; first: string; items: number }>(DATASETS, [projectId, of, from]);
  const first = page.map((each) => each.first).sort()[0];
  if (first === undefined) return { done: [], next: null };
  const done: UndoneRecord[] = [];
  for (const { id } of page) {
    const dataset = await lockedOrGone(tx, projectId, id);
    // Read after the lock: an erasure that had it before has removed the items of its person.
    const items = await tx.query<RowItem>(ITEMS, [projectId, of, undo.id, from, first, id]);
    done.push(...(await undoItems(tx, undo, of, dataset ?? id, items)));
  }
  const size = page.reduce((sum, { items }) => sum + items, 0);
  return { done, next: size < BATCH ? null : first };
}

async function lockedOrGone(tx: Transaction, projectId: string, id: string): Promise<Dataset | undefined> {
  try {
    return await findDataset(tx, projectId, id, "lock");
  } catch (error) {
    if (error instanceof Refusal && error.kind === "not_found") return undefined;
    throw error;
  }
}

async function undoItems(
  tx: Transaction,
  undo: Change,
  of: string,
  dataset: Dataset | string,
  items: readonly RowItem[],
): Promise<UndoneRecord[]> {
  const { projectId } = undo.by;
  const datasetId = typeof dataset === "string" ? dataset : dataset.id;
  const earlier = await earlierOf(tx, undo, [...new Set(items.map(({ record_id }) => record_id))]);
  const outcomes = new Map<string, RowOutcome>();
  const map = typeof dataset === "string" ? undefined : await loaded(tx, projectId, dataset, items);
  for (const item of items) {
    const outcome = outcomes.get(item.record_id) ?? fresh(item, earlier.get(item.record_id));
    outcomes.set(item.record_id, outcome);
    if (map !== undefined) applied(outcome, item, undoStep(map, item, outcome.slots), map, datasetId);
    else if (!outcome.slots.has(null)) keep(outcome, item, [{ slot: null, reason: "gone" }]);
  }
  const columns = typeof dataset === "string" ? [] : dataset.columns;
  await nameAuthors(tx, undo, of, [...outcomes.values()]);
  if (map !== undefined) await store(tx, undo, map, [...outcomes.values()]);
  await keptItems(tx, undo, datasetId, columns, [...outcomes.values()]);
  const keys = new Map(columns.map(({ slot, key }) => [slot, key]));
  return [...outcomes].flatMap(([id, outcome]): UndoneRecord[] => {
    const kept = outcome.kept.map(({ slot, item: _, ...each }) => ({
      field: slot === null ? null : (keys.get(slot) ?? slot),
      ...each,
    }));
    if (outcome.did === "nothing" && kept.length === 0) return [];
    const { written, slots } = outcome.earlier ?? { written: false, slots: [] };
    return [
      {
        ...{ kind: "row", id, datasetId, outcome: outcome.did === "nothing" ? "kept" : outcome.did },
        putBack: [...outcome.putBack].flatMap((slot) => keys.get(slot) ?? []),
        kept,
        ...(outcome.earlier === undefined ? {} : { earlier: { written, kept: slots.length > 0 } }),
      },
    ];
  });
}

/** Reads the rows and the holders of all unique values that the batch may put back. */
async function loaded(
  tx: Transaction,
  projectId: string,
  dataset: Dataset,
  items: readonly RowItem[],
): Promise<RowIdentityMap> {
  const slots = new Set(dataset.columns.map(({ slot }) => slot));
  const patches = items.map(({ before }) => {
    const patch: RowPatch = new Map(Object.entries(before ?? {}).filter(([slot]) => slots.has(slot)));
    fillComing(dataset, patch);
    return patch;
  });
  const map = new RowIdentityMap(dataset);
  const ids = items.map(({ record_id }) => record_id);
  await map.load(tx, projectId, patches, [...new Set(ids)]);
  return map;
}

const fresh = ({ record_id: id }: RowItem, earlier: Earlier | undefined): RowOutcome => ({
  ...{ id, did: "nothing", items: [], kept: [], putBack: new Set() },
  slots: new Set(earlier?.slots ?? []),
  earlier,
});

const keep = (outcome: RowOutcome, { id }: RowItem, kept: UndoStep["kept"]): void => {
  for (const each of kept) {
    outcome.kept.push({ ...each, item: id });
    outcome.slots.add(each.slot);
  }
};

function applied(
  outcome: RowOutcome,
  item: RowItem,
  { did, before, after, kept }: UndoStep,
  map: RowIdentityMap,
  datasetId: string,
): void {
  keep(outcome, item, kept);
  if (did === "nothing") return;
  const row = map.rows.get(item.record_id);
  const version = row?.version === 0 ? (row.back?.version ?? 1) : (row?.version ?? 0) + 1;
  const added = {
    id: newId("evt"),
    kind: "row",
    recordId: outcome.id,
    datasetId,
    before,
    after,
    version,
  } as const;
  // A deletion keeps the row as it is stored, so it stands for all that this batch did to it before.
  if (did === "deleted") outcome.items = outcome.did === "restored" ? [] : [added];
  else outcome.items.push(added);
  if (did === "put_back") for (const slot of Object.keys(after ?? {})) outcome.putBack.add(slot);
  if (did === "deleted") {
    outcome.putBack.clear();
    outcome.did = outcome.did === "restored" ? "nothing" : "deleted";
  } else if (outcome.did !== "restored") outcome.did = did;
}

/** Writes what the steps decided: deletions first, which free unique values, then rows, then their items. */
async function store(
  tx: Transaction,
  undo: Change,
  map: RowIdentityMap,
  outcomes: readonly RowOutcome[],
): Promise<void> {
  const deleted = outcomes.flatMap(({ id, did, items }) =>
    did === "deleted" ? items.map((item) => ({ id, item: item.id })) : [],
  );
  await removeInOrder(tx, undo, map.dataset.id, deleted);
  await saveRows(tx, undo.by.projectId, map);
  const written = outcomes.filter(({ did }) => did === "put_back" || did === "restored");
  const items: (ChangeItem & { id: string })[] = written.flatMap((outcome) => outcome.items);
  if (items.length === 0) return;
  const counts: Partial<Record<ChangeCount, number>> = {
    rows_created: written.filter(({ did }) => did === "restored").length,
    rows_updated: written.filter(({ did, earlier }) => did === "put_back" && earlier?.written !== true)
      .length,
  };
  await recordItems(tx, undo, counts, items);
}
