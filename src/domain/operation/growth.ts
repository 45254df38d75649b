import { setTimeout as sleep } from "node:timers/promises";
import type { ProjectDb } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { Recent } from "../../db/wire/recent.ts";
import { plannedRows } from "../sql/planned-rows.ts";
import { analyzeSql, TABLE_ROWS } from "../tenancy/all-indexes.ts";
import type { Service } from "./service/service.ts";

/** A table, or in it the rows of one dataset. */
type Part = "lead" | "event" | "change" | "change_item" | `dataset_row ${string}`;

/** How many rows were added to parts of a project, at most. */
export type Added = Partial<Record<Part, number>>;

/** Any plan is fast for fewer rows. */
const FEW = 50;
/** From this number on, plans are those of large tables; autovacuum follows. */
const MANY = 20_000;
/** The share by which a part may grow before it is looked at again, and by which it may have more rows than planned. */
const GROWTH = 0.5;
/** The share of a part that its statistics may lack when a job ends: which values are frequent may be others by then. */
const UNSEEN = 0.1;
/** ANALYZE reads 30,000 rows of a table: it hardly sees a part that is a smaller share of it. */
const SEEN = 1 / 10_000;
/** How long a table rests after an ANALYZE that took so long: 1 s after 1 s, 16 s after 4 s, 4 minutes after 16 s. */
const restAfter = (ms: number): number => (ms * ms) / 1_000;
/** A rest that is waited for, and how long rows may take to be committed. */
const SHORT_MS = 500;
const ANALYZE_MS = 120_000;
const REMEMBERED = 20_000;

/** The rows that this process added since it looked at a part, those that it found then, and those that it added since it analyzed the table. */
interface Growth {
  added: number;
  found: number;
  unseen: number;
}

const growths = new Recent<string, Growth>(REMEMBERED);
/** The parts that grew, by project. */
const grown = new Recent<string, Set<Part>>(REMEMBERED);
const restUntil = new Map<string, number>();
let looking: Promise<void> = Promise.resolve();
let passOn: ((projectId: string, added: Added) => void) | undefined;

/** Passes what is added on to another thread, which follows growth. */
export function passOnAdded(to: typeof passOn): void {
  passOn = to;
}

/** Notes rows that a statement added to a project. They may be fewer, and are committed soon. */
export function noteAdded(projectId: string, all: Added): void {
  if (passOn !== undefined) {
    passOn(projectId, all);
    return;
  }
  const parts = grown.get(projectId) ?? new Set();
  grown.set(projectId, parts);
  for (const [part, rows] of Object.entries(all) as [Part, number][]) {
    if (rows === 0) continue;
    const { added, found, unseen } = growthOf(projectId, part);
    growths.set(`${projectId} ${part}`, { added: added + rows, found, unseen: unseen + rows });
    parts.add(part);
  }
}

const growthOf = (projectId: string, part: Part): Growth =>
  growths.get(`${projectId} ${part}`) ?? { added: 0, found: 0, unseen: 0 };

/** Whether a part has grown so much that it is looked at; at the end of a job, whatever its statistics hardly saw. */
function isDue({ added, found, unseen }: Growth, ended: boolean): boolean {
  return added >= Math.max(FEW, found * GROWTH) || (ended && isUnseen(unseen, found + added));
}

const isUnseen = (unseen: number, rows: number): boolean => unseen >= Math.max(FEW, rows * UNSEEN);

/**
 * Renews PostgreSQL's statistics if it plans for far fewer rows than a project that grew has: decision 45. Resolves when it has
 * looked, one project after the other; never rejects.
 */
export function followGrowth(
  service: Pick<Service, "db" | "log">,
  projectId: string,
  ended = false,
): Promise<void> {
  const due = [...(grown.get(projectId) ?? [])].flatMap((part) => {
    const before = growthOf(projectId, part);
    return isDue(before, ended) ? [{ part, before }] : [];
  });
  if (due.length === 0) return Promise.resolve();
  for (const { part, before } of due) growths.set(`${projectId} ${part}`, { ...before, added: 0 });
  return lookAt(service, projectId, due, { ended });
}

/** The same for the leads of a project, whoever wrote them, before a job reads or changes many. */
export const lookAhead = (service: Pick<Service, "db" | "log">, projectId: string): Promise<void> =>
  lookAt(service, projectId, [{ part: "lead", before: growthOf(projectId, "lead") }], { isLast: true });

function lookAt(
  service: Pick<Service, "db" | "log">,
  projectId: string,
  parts: readonly { part: Part; before: Growth }[],
  { ended = false, isLast = false }: { ended?: boolean; isLast?: boolean },
): Promise<void> {
  // A cluster analyzes the shards of all projects at once, which its nodes do by themselves.
  if (service.db.isDistributed) return Promise.resolve();
  looking = looking.then(async () => {
    for (const { part, before } of parts)
      await look(service, projectId, part, { before, ended, isLast }).catch((error: unknown) =>
        service.log.debug({ err: error, project: projectId }, "the statistics of a project were not renewed"),
      );
  });
  return looking;
}

async function look(
  service: Pick<Service, "db" | "log">,
  projectId: string,
  part: Part,
  { before, ended, isLast = false }: { before: Growth; ended: boolean; isLast?: boolean },
): Promise<void> {
  const own = service.db.behind(serviceDoor(projectId), { lane: "long", owner: projectId });
  const key = `${projectId} ${part}`;
  const { planned, rows } = await measured(own, projectId, part);
  const { added, unseen } = growthOf(projectId, part);
  growths.set(key, { added, found: rows, unseen });
  const later = (ms: number) => {
    const again = () =>
      look(service, projectId, part, { before, ended, isLast: true }).catch(() => undefined);
    setTimeout(() => {
      looking = looking.then(again);
    }, ms).unref();
  };
  // Another call may have noted rows that it has not committed yet.
  if (!isLast && rows < Math.min(before.found + before.added, MANY)) later(SHORT_MS);
  if (rows <= planned * (1 + GROWTH) + FEW / 2 && !(ended && isUnseen(unseen, rows))) return;
  const [table = ""] = part.split(" ");
  const [all] = await own.query<{ rows: number }>(TABLE_ROWS, [table]);
  if (rows < (all?.rows ?? 0) * SEEN) return;
  const rest = (restUntil.get(table) ?? 0) - performance.now();
  if (rest > SHORT_MS) return later(rest);
  if (rest > 0) await sleep(rest, undefined, { ref: false });
  const began = performance.now();
  await own.transaction(async (tx) => {
    await tx.allow(ANALYZE_MS);
    await tx.query(analyzeSql(table));
  });
  growths.set(key, { ...growthOf(projectId, part), unseen: 0 });
  const ms = Math.round(performance.now() - began);
  restUntil.set(table, performance.now() + restAfter(ms));
  service.log.info(
    { table, project: projectId, planned, rows, ms },
    "renewed the statistics of a table that grew",
  );
}

/** For how many rows of a part PostgreSQL plans, and how many there are, counted up to MANY. */
async function measured(
  own: ProjectDb,
  projectId: string,
  part: Part,
): Promise<{ planned: number; rows: number }> {
  const [table = "", dataset] = part.split(" ");
  const values = dataset === undefined ? [projectId] : [projectId, dataset];
  const from = `SELECT FROM ${table} WHERE project_id = $1${dataset === undefined ? "" : " AND dataset_id = $2"}`;
  const bounded = { texts: [`${from} LIMIT 1`], values, limit: 1, how: "planned" } as const;
  const [planned = 0] = await plannedRows(own, { isDistributed: false }, bounded);
  if (planned >= MANY) return { planned, rows: planned };
  const count = `SELECT count(*)::integer AS rows FROM (${from} LIMIT ${MANY}) AS counted`;
  const [counted] = await own.query<{ rows: number }>(count, values);
  return { planned, rows: counted?.rows ?? 0 };
}
