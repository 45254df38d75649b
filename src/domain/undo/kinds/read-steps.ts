import type { Actor } from "../../../contract/basics/actor.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { ChangeItem } from "../../changes/change-items.ts";
import { KEPT_OF_SQL } from "../../changes/mark-undone.ts";
import type { LaterStep, Step, Writer } from "../rule/decide.ts";
import { type RecordPage, STEP, type Undone, within } from "./kind.ts";

/** A step as a statement reads it, with the change that made it. */
export interface StepRow extends Step, Writer {
  own: boolean;
  by: Actor;
  isUndo: boolean;
  isUndone: boolean;
  /** What the undo of the step's change kept of the record, by field; null is the whole record. */
  kept: (string | null)[] | null;
}

/** SQL for whether change `c` is an undo, whether it is undone, and what its undo kept of a record, by field or slot. */
export const standingSql = (record: string): string => `c.kind IS NOT DISTINCT FROM 'undo' AS "isUndo",
  c.undone_by IS NOT NULL AS "isUndone", CASE WHEN c.undone_by IS NOT NULL THEN (
    SELECT jsonb_agg(coalesce(left_alone -> 'slot', left_alone -> 'field'))
    FROM change_item k, jsonb_array_elements(k.after -> 'kept') AS left_alone
    WHERE k.project_id = $1 AND k.change_id = c.undone_by AND k.kind = 'kept' AND k.record_id = ${record}
      AND ${KEPT_OF_SQL} = c.id) END AS kept`;

/** Whether a step still is somebody's decision: an undo only puts back, and an undone change stands for what was kept. */
const stands = ({ isUndo, isUndone, kept, field }: StepRow): boolean =>
  !isUndo && (!isUndone || (kept ?? []).some((each) => each === null || each === field));

export const writerOf = ({ by, change_id, at }: Writer): Writer => ({ by, change_id, at });

/** The change's own steps of one record, and those of others that still stand, from rows in their order. */
export function stepsOf(rows: readonly StepRow[]): { own: Step[]; later: LaterStep[]; other?: Writer } {
  const step = ({ field, from, to, order }: Step): Step => ({ field, from, to, order });
  const others = rows.filter(({ own }) => !own);
  const last = others.at(-1);
  return {
    own: rows.filter(({ own }) => own).map(step),
    later: others.filter(stands).map((row) => ({ ...step(row), writer: writerOf(row) })),
    ...(last === undefined ? {} : { other: writerOf(last) }),
  };
}

/** A stored item of a record, with the change that made it; null stands for a record that did not exist. */
export interface ItemRow<T extends object> extends Omit<StepRow, keyof Step> {
  record_id: string;
  before: T | null;
  after: T | null;
  version: number | null;
}

/** A statement that selects items `i`; $3 and $4 are the ends of the change's part, and `where` has the other parameters. */
export const itemsSql = (where: string): string =>
  `SELECT i.change_id = $2 AND ${within("i.id", "$3", "$4")} AS own, i.record_id, i.before, i.after, i.version,
    c.actor AS by, i.change_id, to_json(i.at) #>> '{}' AS at, ${standingSql("i.record_id")}
  FROM change_item i JOIN change c ON c.project_id = $1 AND c.id = i.change_id WHERE i.project_id = $1 AND ${where}`;

/**
 * What the items of a record did since the change's first one; `fieldsOf` returns what one did to fields. Items of the undo
 * itself have no steps.
 */
export function stepsOfItems<T extends object>(
  items: readonly ItemRow<T>[],
  undo: Change,
  fieldsOf: (item: ItemRow<T>) => Omit<Step, "order">[],
) {
  const first = items.findIndex(({ own }) => own);
  const since = first < 0 ? [] : items.slice(first);
  const told = since.filter((each) => each.own || each.change_id !== undo.id);
  const presence = (value: T | null) => (value === null ? "none" : "there");
  const steps = told.flatMap((item, order) => {
    const [from, to] = [presence(item.before), presence(item.after)];
    const whole = from === to ? [] : [{ field: null, from, to }];
    return [...whole, ...fieldsOf(item)].map((step) => ({ ...item, ...step, order }));
  });
  return { since, last: told.findLastIndex(({ own }) => own), ...stepsOf(steps) };
}

/**
 * A record that an earlier page had is left out: its items are undone together, where the first of them is. `concat` makes the
 * planner look for the few items of the record, instead of reading all of the change.
 */
const PAGE = `WITH page AS MATERIALIZED (
    SELECT id, record_id FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind = $3 AND id > $4 AND ${within("id", "$5", "$6")}
    ORDER BY id LIMIT ${STEP}
  ) SELECT ARRAY(SELECT DISTINCT record_id FROM page WHERE (
      SELECT min(o.id) FROM change_item o WHERE o.project_id = $1 AND o.record_id = page.record_id AND concat(o.change_id) = $2
        AND concat(o.kind) = $3 AND ($5::text IS NULL OR o.id > $5)) > $4 ORDER BY record_id) AS ids,
    max(id) AS last, count(*)::integer AS items FROM page`;

/** The planner takes a table that was never analyzed for empty, and would read all items for each record. */
const BY_INDEX = "SELECT set_config('enable_seqscan', 'off', true)";

/** Returns the records of the next items of one kind behind an item. */
export async function pageOfItems(
  tx: Pick<Transaction, "query">,
  undo: Change,
  of: Undone,
  kind: ChangeItem["kind"],
  after: string,
): Promise<RecordPage> {
  await tx.query(BY_INDEX);
  const values = [undo.by.projectId, of.id, kind, after, of.from, of.to];
  const [page] = await tx.query<{ ids: string[]; last: string | null; items: number }>(PAGE, values);
  const { ids = [], last = null, items = 0 } = page ?? {};
  return { ids, next: items < STEP ? null : last };
}
