import { setTimeout as sleep } from "node:timers/promises";
import type { Database, ProjectDb, Transaction } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { ACTIVITY, OLDEST_ON_ALL_NODES } from "../../db/statements/oldest-running.ts";
import { EMAIL_DOMAIN, type IndexForm, type IndexKind, tableOf } from "../fields/index-form.ts";
import { FIELD_BY_NAME } from "../fields/lead-field.ts";
import type { Service } from "../operation/service/service.ts";
import { analyzeSql, dropUnused, projectsToIndex, TABLE_ROWS } from "../tenancy/all-indexes.ts";
import { logDropped } from "./log-dropped.ts";

const BATCH = 5_000;
const AGAIN_MS = 100;
/** Less than PostgreSQL waits before it looks for a deadlock: of a batch and a writer, the batch gives way. */
const LOCK_MS = 500;
/** How long a batch may take. */
const BATCH_MS = 60_000;
/** The share of a table's rows that a new index must add for its statistics to be renewed at once. */
const MUCH = 0.1;
/** The days after which an index of the service's own making is dropped if nothing used it. */
const UNUSED_DAYS = 30;

interface Index {
  id: number;
  field: string;
  kind: IndexKind;
  form: IndexForm;
}

const WORK = `SELECT id, field, kind, form, dropped_at IS NOT NULL AS dropped FROM field_index
  WHERE project_id = $1 AND (built_at IS NULL OR dropped_at IS NOT NULL) ORDER BY dropped_at IS NULL, id`;

/**
 * Writers that started before an index was made or dropped may not know it: its leads are read, or its values removed,
 * after they have ended.
 */
const BEFORE = "SELECT pg_current_xact_id()::text AS mine";
const ENDED = `SELECT ${OLDEST_ON_ALL_NODES} > $1::xid8 AS ended`;

/**
 * Locks a batch of leads, so that their writers come before or after it, and adds their values. `wanted` is false if the
 * index was dropped.
 */
const fillSql = (value: string): string => `WITH batch AS MATERIALIZED (
    SELECT id, deleted_at IS NULL AND merged_into_id IS NULL AS lives, ${value} AS value FROM lead
    WHERE project_id = $1 AND id > $3 ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE
  ), known AS MATERIALIZED (
    SELECT id, form, index_home(kind, form) AS home FROM field_index WHERE project_id = $1 AND id = $2 AND dropped_at IS NULL
  ), moves AS (
    SELECT array_agg(ROW($1, known.id, home, batch.id, false, NULL, true, indexed_value(form, value))::index_move) AS list
    FROM batch, known WHERE lives
  ) SELECT max(id) AS last, count(*)::integer AS leads, count(*) FILTER (WHERE lives)::integer AS living,
    EXISTS (SELECT FROM known) AS wanted, (SELECT move_values(list) FROM moves WHERE list IS NOT NULL) FROM batch`;

interface Batch {
  last: string | null;
  leads: number;
  living: number;
  wanted: boolean;
}

const BUILT = `UPDATE field_index SET built_at = moment(), leads = $3
  WHERE project_id = $1 AND id = $2 AND built_at IS NULL AND dropped_at IS NULL`;

// For the row of the index, because on a cluster its values are on the same node.
const REMOVE =
  "SELECT remove_values(project_id, id, kind, form, $3) AS removed FROM field_index WHERE project_id = $1 AND id = $2";
const REMOVED = "DELETE FROM field_index WHERE project_id = $1 AND id = $2 AND dropped_at IS NOT NULL";

/** The last build that each process's database was asked for; the next one starts behind it. */
const LAST = new WeakMap<Database["connections"], Promise<void>>();

/** Builds and removes indexes behind the response; the next sweep continues what a killed process left. */
export function buildBehind(service: Service, projectId: string): void {
  buildInTurn(service, projectId).catch((error: unknown) =>
    service.log.warn({ err: error }, "indexes of fields are not built yet; the next sweep continues"),
  );
}

/** Builds one after another, so that they leave connections and the disk to others. */
async function buildInTurn(service: Pick<Service, "db">, projectId: string): Promise<void> {
  const { connections } = service.db;
  const before = LAST.get(connections) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(() => buildIndexes(service, projectId));
  LAST.set(connections, mine);
  await mine;
}

/**
 * Adds the values of all leads to the project's new indexes, in batches and while others write, and removes those of
 * dropped indexes. Running it twice at once is harmless.
 */
async function buildIndexes({ db }: Pick<Service, "db">, projectId: string): Promise<void> {
  const own = db.behind(serviceDoor(projectId), { lane: "long", owner: projectId });
  const work = await own.query<Index & { dropped: boolean }>(WORK, [projectId]);
  if (work.length === 0) return;
  const [before] = await own.query<{ mine: string }>(BEFORE);
  const look = () => own.query<{ ended: boolean }>(ENDED, [before?.mine], { ahead: [ACTIVITY] });
  while ((await look())[0]?.ended !== true) await sleep(AGAIN_MS, undefined, { ref: false });
  for (const index of work)
    await (index.dropped ? remove(own, projectId, index) : build(own, projectId, index));
}

async function remove(own: ProjectDb, projectId: string, { id }: Index): Promise<void> {
  for (let removed = BATCH; removed === BATCH; )
    [{ removed } = { removed: 0 }] = await own.query<{ removed: number }>(REMOVE, [projectId, id, BATCH]);
  await own.query(REMOVED, [projectId, id]);
}

async function build(own: ProjectDb, projectId: string, index: Index): Promise<void> {
  const { id, field, kind, form } = index;
  const value = valueSql(field);
  if (value === undefined) return;
  const text = fillSql(value.sql);
  let living = 0;
  for (let after: string | null = ""; after !== null; ) {
    const batch = await fill(own, text, [projectId, id, after, ...value.parameters]);
    if (!batch.wanted) return;
    living += batch.living;
    after = batch.leads === BATCH ? batch.last : null;
  }
  await own.query(BUILT, [projectId, id, living]);
  const table = tableOf(kind, form);
  const [known] = await own.query<{ rows: number }>(TABLE_ROWS, [table]);
  // Without statistics, pages would be planned as if the table were small; autovacuum follows later.
  if (living > (known?.rows ?? 0) * MUCH) await own.query(analyzeSql(table)).catch(() => undefined);
}

/** Adds one batch; again, if a writer of one of its leads takes too long. */
async function fill(own: ProjectDb, text: string, values: readonly unknown[]): Promise<Batch> {
  for (;;) {
    try {
      return await own.transaction(async (tx) => await fillOnce(tx, text, values));
    } catch (error) {
      if ((error as { code?: string }).code !== "55P03") throw error;
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  }
}

async function fillOnce(tx: Transaction, text: string, values: readonly unknown[]): Promise<Batch> {
  await tx.allow(BATCH_MS, { lock_timeout: String(LOCK_MS) });
  // Before the statement's snapshot, so that who drops the index waits for this batch if it did not see that.
  await tx.query(BEFORE);
  const [batch] = await tx.query<Batch>(text, values);
  return batch ?? { last: null, leads: 0, living: 0, wanted: false };
}

/** SQL for a field's value as JSON; undefined for a field that this version does not know. */
function valueSql(name: string): { sql: string; parameters: string[] } | undefined {
  if (name.startsWith("custom.")) return { sql: "custom -> $4::text", parameters: [name.slice(7)] };
  const field = FIELD_BY_NAME.get(name === EMAIL_DOMAIN ? "email" : name);
  return field === undefined ? undefined : { sql: `to_jsonb(${field.column})`, parameters: [] };
}

/** Drops indexes that nothing used, and continues the builds and removals that other processes left unfinished. */
export async function sweepIndexes(service: Service): Promise<void> {
  logDropped(service, await dropUnused(service.db, UNUSED_DAYS));
  for (const projectId of await projectsToIndex(service.db)) await buildInTurn(service, projectId);
}
