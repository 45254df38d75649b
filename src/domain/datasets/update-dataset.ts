import { setTimeout } from "node:timers/promises";
import { Type } from "typebox";
import { DatasetChanges } from "../../contract/datasets/datasets.ts";
import { type Fault, Refusal } from "../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../db/pool/database.ts";
import { type Change, newChange } from "../changes/change.ts";
import { recordChange } from "../changes/record-change.ts";
import { may } from "../operation/may-sql.ts";
import { memberOperation } from "../operation/operation.ts";
import { AFTER_LAST } from "../sql/after-last.ts";
import type { Credential } from "../tenancy/credential.ts";
import { isCurrent, Version } from "../values/version.ts";
import { keyTaken } from "./create-dataset.ts";
import {
  DATASET_COLUMNS,
  type Dataset,
  type Dropped,
  findDataset,
  type ShownDataset,
  shownDataset,
} from "./definition/dataset.ts";
import { DatasetName, stale } from "./definition/dataset-input.ts";
import { type ChangePlan, planChange } from "./plan-change.ts";
import { changing, rebuildRows } from "./rebuild-rows.ts";

const BEGIN = `UPDATE dataset SET change = $3::jsonb, change_beat = moment(), change_faults = NULL, dropped = $4::jsonb, slots = $5
  WHERE project_id = $1 AND id = $2`;

const SETTLE = `WITH settled AS (
    UPDATE dataset SET key = $3, name = $4, columns = $5::jsonb, key_column = $6, lead_link = $7::jsonb,
      change = NULL, change_beat = NULL, change_faults = NULL, dropped = $8::jsonb, slots = $9, version = version + 1,
      updated_at = ${AFTER_LAST}
    WHERE project_id = $1 AND id = $2 RETURNING *
  ) SELECT ${DATASET_COLUMNS} FROM settled d`;

/** A dataset after a change, or before the end of a long one; `change` shows its state. */
export interface UpdatedDataset {
  isDone: boolean;
  dataset: ShownDataset;
}

interface Begun {
  id: string;
  plan: ChangePlan;
  token: string;
  change: Change;
}

/** How long the caller waits for the rows; an idle connection is closed after a minute. */
const PATIENCE_MS = 5_000;

/**
 * Changes a dataset. New constraints are first enforced on writers, then checked on rows in batches, and hold once
 * all rows fit; else nothing changes and a refusal (409) gives examples to those who may read rows. Readers never wait.
 */
export const updateDataset = memberOperation({
  name: "datasets.update",
  needs: "datasets:write",
  limit: "datasetWrites",
  input: Type.Object(
    { dataset: DatasetName, version: Type.Optional(Version), ...DatasetChanges.properties },
    { additionalProperties: false },
  ),
  async run(context, { dataset: name, version, ...patch }): Promise<UpdatedDataset> {
    const { service, db, caller } = context;
    const { projectId } = caller;
    const begun = await db.transaction(async (tx) => {
      const dataset = await findDataset(tx, projectId, name, "lock");
      if (!isCurrent(version, dataset.version)) throw stale("dataset", dataset.version);
      if (dataset.changing) throw changing();
      const plan = planChange(dataset, patch);
      await checkRoom(tx, projectId, dataset, plan);
      const change = newChange(context, "dataset.update", { about: { dataset_id: dataset.id } });
      if (plan.change === undefined) return { done: await settle(tx, change, dataset, plan) };
      await begin(tx, projectId, dataset, plan);
      return { id: dataset.id, plan, token: plan.change.token, change };
    });
    if (begun.done !== undefined) return { isDone: true, dataset: shownDataset(begun.done) };
    const work = goThrough(db, caller, begun);
    const settled = await Promise.race([work, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
    if (settled !== undefined) return { isDone: true, dataset: shownDataset(settled) };
    work.catch((error: unknown) => service.log.warn({ err: error }, "a change of a dataset was not made"));
    return { isDone: false, dataset: shownDataset(await findDataset(db, projectId, begun.id)) };
  },
});

const INTERRUPTED: readonly Fault[] = [
  {
    path: "$",
    code: "interrupted",
    message: "The change was interrupted before all rows were checked. Send it again.",
  },
];

/** Rebuilds every row, then applies the change; refuses (409) without changes if a row does not fit. */
async function goThrough(db: ProjectDb, caller: Credential, begun: Begun): Promise<Dataset> {
  const { projectId } = caller;
  const { examples } = await rebuildRows(db, projectId, begun.id, begun.token).catch(
    async (error: unknown) => {
      // If this fails too, the change stays abandoned and the next one discards it.
      await db.transaction((tx) => rollBack(tx, projectId, begun, INTERRUPTED)).catch(() => undefined);
      throw error;
    },
  );
  if (examples.length === 0) return await finish(db, projectId, begun);
  await db.transaction((tx) => rollBack(tx, projectId, begun, examples));
  if (!(await may(db, caller, "datasets:read"))) throw someDoNotFit();
  const message = `Some rows do not fit: ${examples[0]?.path}: ${examples[0]?.message}. Change them first.`;
  throw new Refusal("conflict", "rows_do_not_fit", message, { faults: examples });
}

/** The same for callers who may not read rows: examples would tell stored values. */
const someDoNotFit = (): Refusal =>
  new Refusal("conflict", "rows_do_not_fit", "Some rows do not fit. Change them first.");

/** Refuses a key in use, and a new required column if the dataset has rows. */
async function checkRoom(
  tx: Transaction,
  projectId: string,
  dataset: Dataset,
  plan: ChangePlan,
): Promise<void> {
  const { id, key } = dataset;
  if (plan.key !== key) {
    const taken = await tx.query(
      "SELECT FROM dataset WHERE project_id = $1 AND key = $2 AND deleted_at IS NULL",
      [projectId, plan.key],
    );
    if (taken.length > 0) throw keyTaken(plan.key);
  }
  if (!plan.emptyOnly) return;
  const rows = await tx.query("SELECT FROM dataset_row WHERE project_id = $1 AND dataset_id = $2 LIMIT 1", [
    projectId,
    id,
  ]);
  if (rows.length === 0) return;
  const message =
    "The dataset has rows without a value for the new required column. Add the column, fill it, then make it required.";
  throw new Refusal("conflict", "rows_do_not_fit", message);
}

/** What to drop: the given data and what an abandoned change began, except a side that is in use again. */
function droppedWith(
  dataset: Dataset,
  more: readonly Omit<Dropped, "at">[],
  used: 0 | 1 | undefined,
): Dropped[] {
  const at = dataset.now;
  const left: Dropped[] = Object.values(dataset.change?.columns ?? {}).map(({ slot }) => ({ slot, at }));
  const all: Dropped[] = [...dataset.dropped, ...left, ...more.map((each) => ({ ...each, at }))];
  return all.filter(({ side }) => side === undefined || side !== used);
}

async function begin(tx: Transaction, projectId: string, dataset: Dataset, plan: ChangePlan): Promise<void> {
  const dropped = droppedWith(dataset, [], plan.link?.side);
  await tx.query(BEGIN, [
    projectId,
    dataset.id,
    JSON.stringify(plan.change),
    JSON.stringify(dropped),
    plan.slots,
  ]);
}

async function settle(tx: Transaction, change: Change, dataset: Dataset, plan: ChangePlan): Promise<Dataset> {
  const ours = { ...dataset, change: null };
  const dropped = droppedWith(plan.change === undefined ? dataset : ours, plan.dropped, plan.link?.side);
  const [settled] = await tx.query<Dataset>(SETTLE, [
    ...[change.by.projectId, dataset.id, plan.key, plan.name, JSON.stringify(plan.columns), plan.keyColumn],
    ...[plan.link === null ? null : JSON.stringify(plan.link), JSON.stringify(dropped), plan.slots],
  ]);
  if (settled === undefined) throw new Error("the dataset went while it was locked");
  await recordChange(tx, change, {});
  return settled;
}

async function finish(
  db: ProjectDb,
  projectId: string,
  { id, plan, token, change }: Begun,
): Promise<Dataset> {
  return await db.transaction(async (tx) => {
    const dataset = await findDataset(tx, projectId, id, "lock");
    if (dataset.change?.token !== token) throw changing();
    await checkRoom(tx, projectId, dataset, plan);
    return await settle(tx, change, dataset, plan);
  });
}

/** Ends a change without effect; the sweep removes what it left in rows. */
async function rollBack(
  tx: Transaction,
  projectId: string,
  { id, token }: Begun,
  examples: readonly Fault[],
): Promise<void> {
  const dataset = await findDataset(tx, projectId, id, "lock");
  if (dataset.change?.token !== token) return;
  const side = dataset.change.link?.side;
  const dropped = droppedWith(dataset, side === undefined ? [] : [{ side }], undefined);
  await tx.query(
    `UPDATE dataset SET change = NULL, change_beat = NULL, dropped = $3::jsonb, change_faults = $4::jsonb
     WHERE project_id = $1 AND id = $2`,
    [projectId, id, JSON.stringify(dropped), JSON.stringify(examples)],
  );
}
