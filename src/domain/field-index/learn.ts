import { type CustomFieldType, TYPE_IN_FILTERS } from "../../contract/lists/column-types.ts";
import type { Database, Transaction } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { EMAIL_DOMAIN, formOf, type IndexForm, type IndexKind } from "../fields/index-form.ts";
import { FIELD_BY_NAME } from "../fields/lead-field.ts";
import type { Service } from "../operation/service/service.ts";
import { NOT_DELETED } from "../sql/not-deleted.ts";
import { dropUnused, indexedLeads } from "../tenancy/all-indexes.ts";
import { buildBehind } from "./build-indexes.ts";
import { logDropped } from "./log-dropped.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How many wishes, and how many uses, a process remembers; beyond that, it forgets the oldest. */
const REMEMBERED = 1_000;
/** After how many days without use an index may make room for another one. */
const IDLE_DAYS = 7;

/** An index that a slow statement would have used. */
export interface WantedIndex {
  /** The field's name in filters, or EMAIL_DOMAIN. */
  field: string;
  kind: IndexKind;
}

/** What a process remembers: when an index was first wanted, and whether it was asked for then; when one was used. */
interface Memory {
  wanted: Map<string, { at: number; asked: boolean }>;
  used: Map<number, number>;
}

const MEMORIES = new WeakMap<Database["connections"], Memory>();

function memoryOf({ db }: Pick<Service, "db">): Memory {
  const known = MEMORIES.get(db.connections);
  if (known !== undefined) return known;
  const fresh = { wanted: new Map(), used: new Map() };
  MEMORIES.set(db.connections, fresh);
  return fresh;
}

/** Sets an entry as the newest one, and forgets the oldest beyond the limit. */
function remember<N, T>(map: Map<N, T>, name: N, value: T): void {
  map.delete(name);
  map.set(name, value);
  for (const oldest of map.keys()) if (map.size > REMEMBERED) map.delete(oldest);
}

/**
 * Notes that a statement was slow and what indexes it wanted. One that two statements want within an hour is made behind
 * the response, if the project is large and the budget allows it.
 */
export function noteSlow(service: Service, projectId: string, wanted: readonly WantedIndex[]): void {
  const { perProject, leads } = service.config.fieldIndexes;
  if (perProject === 0 || leads === 0) return;
  const memory = memoryOf(service).wanted;
  const now = Date.now();
  const again = wanted.filter(({ field, kind }) => {
    const name = `${projectId} ${kind} ${field}`;
    const known = memory.get(name);
    const isFirst = known === undefined || now - known.at > HOUR_MS;
    if (isFirst) remember(memory, name, { at: now, asked: false });
    if (isFirst || known.asked) return false;
    known.asked = true;
    return true;
  });
  if (again.length === 0) return;
  makeIndexes(service, projectId, again).catch((error: unknown) =>
    service.log.warn({ err: error }, "an index of a field could not be made"),
  );
}

const PROJECT = `SELECT count(*)::integer AS leads, ARRAY(SELECT kind || ' ' || field FROM field_index
    WHERE project_id = $1 AND dropped_at IS NULL) AS indexes FROM lead WHERE project_id = $1 AND ${NOT_DELETED}`;

/** Locks a custom field: its indexes go when it is deleted, or when its values are compared otherwise. */
const CUSTOM = "SELECT type FROM custom_field WHERE project_id = $1 AND key = $2 FOR SHARE";

const MAKE = `INSERT INTO field_index (project_id, field, kind, form, leads) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (project_id, field, kind) WHERE dropped_at IS NULL DO NOTHING RETURNING id`;

async function makeIndexes(
  service: Service,
  projectId: string,
  wanted: readonly WantedIndex[],
): Promise<void> {
  const own = service.db.behind(serviceDoor(projectId), { lane: "long", owner: projectId });
  const [project] = await own.query<{ leads: number; indexes: string[] }>(PROJECT, [projectId]);
  if (project === undefined || project.leads < service.config.fewestIndexedLeads) return;
  let indexes = project.indexes.length;
  for (const { field, kind } of wanted) {
    if (project.indexes.includes(`${kind} ${field}`)) continue;
    if ((await formIn(own, projectId, field, kind)) === undefined) continue;
    if (!(await makeRoom(service, projectId, { leads: project.leads, indexes }))) break;
    const made = await own.transaction(async (tx) => {
      const form = await formIn(tx, projectId, field, kind);
      if (form === undefined) return [];
      return await tx.query(MAKE, [projectId, field, kind, form, project.leads]);
    });
    if (made.length === 0) continue;
    indexes += 1;
    const index = { projectId, field, kind, leads: project.leads };
    service.log.info(index, "an index of a field is being built, because slow queries would use it");
  }
  buildBehind(service, projectId);
}

/** Returns the form of an index that the field can have; locks a custom field until the transaction ends. */
async function formIn(
  tx: Pick<Transaction, "query">,
  projectId: string,
  name: string,
  kind: IndexKind,
): Promise<IndexForm | undefined> {
  if (name === EMAIL_DOMAIN) return kind === "order" ? "domain" : undefined;
  if (!name.startsWith("custom.")) {
    const field = FIELD_BY_NAME.get(name);
    return field && formOf(field, kind);
  }
  const key = name.slice(7);
  const [field] = await tx.query<{ type: CustomFieldType }>(CUSTOM, [projectId, key]);
  return field && formOf({ name, type: TYPE_IN_FILTERS[field.type], column: "custom", key }, kind);
}

/** Whether one more index fits into the budget, perhaps after indexes were dropped that nothing has used for a while. */
async function makeRoom(
  service: Service,
  projectId: string,
  { leads, indexes }: { leads: number; indexes: number },
): Promise<boolean> {
  const budget = service.config.fieldIndexes;
  const drop = async (which: { projectId?: string; leads?: number; most?: number }) => {
    const dropped = await dropUnused(service.db, IDLE_DAYS, which);
    logDropped(service, dropped);
    for (const each of dropped) buildBehind(service, each.projectId);
    return dropped;
  };
  if (indexes >= budget.perProject) {
    if ((await drop({ projectId, most: 1 })).length === 0) return false;
  }
  const over = (await indexedLeads(service.db)) + leads - budget.leads;
  if (over <= 0) return true;
  await drop({ leads: over });
  return (await indexedLeads(service.db)) + leads <= budget.leads;
}

const USED = "UPDATE field_index SET used_at = moment() WHERE project_id = $1 AND id = ANY ($2::integer[])";

/** Notes behind the response that a statement used indexes; at most once a day for each, so that reading writes little. */
export function noteUsed(service: Service, projectId: string, ids: readonly number[]): void {
  const memory = memoryOf(service).used;
  const now = Date.now();
  const fresh = ids.filter((id) => now - (memory.get(id) ?? 0) > DAY_MS);
  if (fresh.length === 0) return;
  for (const id of fresh) remember(memory, id, now);
  const own = service.db.behind(serviceDoor(projectId), { lane: "long", owner: projectId });
  own
    .query(USED, [projectId, fresh])
    .catch((error: unknown) => service.log.warn({ err: error }, "the use of an index could not be noted"));
}
