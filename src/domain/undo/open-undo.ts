import type { ChangeAbout } from "../../contract/changes/change.ts";
import type { ChangeKind, IRREVERSIBLE } from "../../contract/lists/changes.ts";
import { newId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import type { Queryable, Transaction } from "../../db/pool/database.ts";
import { type Change, made } from "../changes/change.ts";
import { markUndoneBy } from "../changes/mark-undone.ts";
import { recordChange } from "../changes/record-change.ts";
import { recordItems } from "../changes/record-items.ts";
import type { UndoneRecord } from "../changes/undone-record.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";
import { within } from "./kinds/kind.ts";
import type { Pass, Target, UndoneStep, UndoPosition } from "./undo-step.ts";
import { type Counts, IRREVERSIBLE_SQL, irreversible, mayUndoSql, notYours } from "./undoable.ts";

/** A change that is to be undone. */
export interface UndoneChange {
  id: string;
  kind: ChangeKind;
  about: ChangeAbout;
  counts: Counts;
  lead_id: string | null;
  undoes: string | null;
  undone_by: string | null;
  /** When it began, as PostgreSQL prints it. */
  since: string;
  irreversible: (typeof IRREVERSIBLE)[number] | null;
  may_undo: boolean;
}

/** A statement that selects changes to undo, newest first; `where` is SQL for a condition on `c`. */
export const undoneChanges = (caller: Credential, parameters: Parameters, where: string, more = ""): string =>
  `SELECT c.id, c.kind, c.about, c.counts, c.lead_id, c.undoes, c.undone_by, c.created_at::text AS since,
    ${IRREVERSIBLE_SQL} AS irreversible, coalesce(${mayUndoSql(caller, parameters)}, false) AS may_undo${more}
  FROM change c WHERE c.project_id = ${parameters.text(caller.projectId)} AND ${where} ORDER BY c.id DESC`;

/** Reads a change that a caller wants to undo; refuses one that does not exist, or that cannot be undone by this caller. */
export async function undoneChange(
  db: Pick<Queryable, "query">,
  caller: Credential,
  id: string,
): Promise<UndoneChange> {
  const parameters = new Parameters();
  parameters.text(caller.projectId);
  const text = undoneChanges(caller, parameters, `c.id = ${parameters.text(id)}`);
  const [change] = await db.query<UndoneChange>(text, parameters.values);
  if (change === undefined) throw notFound("change");
  if (!change.may_undo) throw notYours();
  if (change.irreversible !== null) throw irreversible(change.irreversible, change.undone_by);
  return change;
}

const LOCK = "SELECT FROM change WHERE project_id = $1 AND id = $2 FOR UPDATE";

/** How far a job came that did not get to its end. */
interface Stopped {
  targets: { of: { id: string; from: string | null } }[];
  result: { target?: number; at?: UndoPosition | null } | null;
}

interface Locked extends Pick<UndoneChange, "irreversible" | "undone_by"> {
  /** Whether its undo takes back several changes. */
  several: boolean;
  stopped: Stopped | null;
}

/** Behind the lock, in a statement of its own, so that it sees what another undo did that had the lock before. */
const STATE = `SELECT ${IRREVERSIBLE_SQL} AS irreversible, c.undone_by, u.id IS NOT NULL AND u.undoes IS NULL AS several,
    CASE WHEN j.state IN ('failed', 'cancelled') THEN jsonb_build_object('targets', coalesce(j.input -> 'targets', '[]'), 'result', j.result) END AS stopped
  FROM change c LEFT JOIN change u ON u.project_id = $1 AND u.id = c.undone_by LEFT JOIN job j ON j.project_id = $1 AND j.id = u.job_id
  WHERE c.project_id = $1 AND c.id = $2`;

/**
 * Locks a change that is to be undone and returns the id of its undo if that is continued. Of two callers who undo a change
 * at once, the second one continues what the first one kept, or is refused (409).
 */
export async function lockUndone(tx: Transaction, projectId: string, id: string): Promise<Locked> {
  await tx.query(LOCK, [projectId, id]);
  const [locked] = await tx.query<Locked>(STATE, [projectId, id]);
  if (locked === undefined) throw notFound("change");
  if (locked.irreversible !== null) throw irreversible(locked.irreversible, locked.undone_by);
  return locked;
}

const FRESH: readonly Pass[] = ["all", "taken", "end"];
const AGAIN: readonly Pass[] = ["kept", "taken", "end"];
const UNFINISHED: readonly Pass[] = ["all", "kept", "taken", "end"];

const PARTS =
  "SELECT id FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind = 'undone' ORDER BY id";

/**
 * Returns what an undo of a locked change takes back: the change, or its parts, the last one first, if it is an undo of
 * several changes. `among` is whether the undo takes back other changes, too, and `clears` whether it clears opt-outs.
 */
export async function targetsOf(
  tx: Transaction,
  projectId: string,
  { id, since, counts, kind, about }: Pick<UndoneChange, "id" | "since" | "counts"> & Partial<UndoneChange>,
  { undone_by: by, several, stopped }: Locked,
  { among = false, clears = false }: { among?: boolean; clears?: boolean },
): Promise<Target[]> {
  const starts = (await tx.query<{ id: string }>(PARTS, [projectId, id])).map((part) => part.id);
  const parts = starts.map((from, place) => ({ from, to: starts[place + 1] ?? null })).reverse();
  const isPart = parts.length > 0;
  return (isPart ? parts : [{ from: null, to: null }]).map(({ from, to }): Target => {
    const key = from !== null ? `${id} ${from}` : among || (by !== null && several) ? id : null;
    const file = kind === "import" ? about?.import_id : undefined;
    const target = { of: { id, since, from, to }, counts, import: file, key, marked: by !== null, clears };
    if (by === null) return { ...target, passes: FRESH };
    const place = stopped?.targets.findIndex((each) => each.of.id === id && each.of.from === from) ?? -1;
    const { target: reached = 0, at } = stopped?.result ?? {};
    const isDone = stopped === null || (place >= 0 && place < reached) || at === null;
    if (isDone || (place === reached && at !== undefined && at.pass !== "all"))
      return { ...target, passes: AGAIN };
    return { ...target, passes: UNFINISHED, ...(place === reached && at !== undefined ? { at } : {}) };
  });
}

/** An undo that is continued belongs to the new job. */
const OWN_JOB = "UPDATE change SET job_id = $3 WHERE project_id = $1 AND id = $2";

/** Records the undo that a job will perform, or go on with. */
export async function startedBy(tx: Transaction, undo: Change, job: string): Promise<void> {
  await recordChange(tx, { ...undo, jobId: job }, {});
  await tx.query(OWN_JOB, [undo.by.projectId, undo.id, job]);
  made(undo, {});
}

/** A job that stopped is over once what it had begun is done: of several changes, that is the one where it stopped. */
const OVER = `UPDATE change u SET job_id = NULL FROM job j WHERE u.project_id = $1 AND u.id = $2 AND j.project_id = $1
  AND j.id = u.job_id AND j.state IN ('failed', 'cancelled') AND (u.undoes IS NOT NULL OR coalesce(j.result -> 'at', 'null') = 'null'
    OR j.input #>> ARRAY['targets', j.result ->> 'target', 'of', 'id'] = ANY ($3)) RETURNING u.id`;

/** Ends what a stopped job of the undo had begun, which was done without it; returns whether there was one. */
export async function endStopped(
  tx: Transaction,
  undo: Change,
  targets: readonly Target[],
): Promise<boolean> {
  const ids = targets.map(({ of }) => of.id);
  return (await tx.query(OVER, [undo.by.projectId, undo.id, ids])).length > 0;
}

/** Marks the change that a job is to undo; of several, each is marked when it is its turn. */
export async function marked(
  tx: Transaction,
  undo: Change,
  targets: readonly Target[],
  several: boolean,
): Promise<Target[]> {
  const [first] = targets;
  if (several || first === undefined) return [...targets];
  if (!first.marked) await markUndoneBy(tx, undo.by.projectId, { id: first.of.id, by: undo.id });
  return targets.map((target) => ({ ...target, marked: true }));
}

/** Marks a target as undone and, if the undo takes back several, notes in the undo where its part begins. */
export async function beginTarget(tx: Transaction, undo: Change, target: Target): Promise<void> {
  const { of, key, marked } = target;
  if (!marked) await markUndoneBy(tx, undo.by.projectId, { id: of.id, by: undo.id });
  if (key === null) return;
  const item = {
    kind: "undone",
    recordId: of.id,
    before: null,
    after: null,
  } as const;
  await recordItems(tx, undo, {}, [{ ...item, id: newId("evt") }]);
}

const LEADS = `SELECT lead_id AS record FROM event WHERE project_id = $1 AND change_id = $2 AND ${within("id", "$3", "$4")}
  UNION SELECT record_id FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind NOT IN ('kept', 'undone', 'hidden')
    AND ${within("id", "$3", "$4")}`;

const RECORDS = `SELECT count(*)::integer AS count FROM (${LEADS}) AS records`;

const KEPT = `SELECT count(*)::integer AS count FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind = 'kept'
  AND after ->> 'of' IS NOT DISTINCT FROM $3`;

/** How many records an undo looks at: those of its targets, or of which it kept something. A record counts for each of them. */
export async function recordsOf(
  db: Pick<Queryable, "query">,
  projectId: string,
  undo: string,
  targets: readonly Target[],
): Promise<number> {
  let size = 0;
  for (const { of, key, passes } of targets) {
    const [text, values] =
      passes[0] === "kept" ? [KEPT, [projectId, undo, key]] : [RECORDS, [projectId, of.id, of.from, of.to]];
    const [found] = await db.query<{ count: number }>(text, values);
    size += found?.count ?? 0;
  }
  return size;
}

const NOTED = `SELECT change_id AS "changeId", CASE WHEN undo_change_id IS NOT DISTINCT FROM nullif($3, '') THEN undo END AS base
  FROM import WHERE project_id = $1 AND id = $2 FOR UPDATE`;

const LEFT = `SELECT count(*)::integer AS count FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind = 'kept'
  AND coalesce(split_part(after ->> 'of', ' ', 1), $3) = $3`;

/** What an import's own record tells of its undo. One that is undone with other changes has no job of its own, so it ends here. */
const NOTE = `UPDATE import SET undo = $4::jsonb, undo_change_id = nullif($3, ''), state = CASE WHEN $5 THEN 'undone' ELSE state END
  WHERE project_id = $1 AND id = $2`;

/** Counts in the record of an import what a part of its undo did. */
export async function noteImport(
  tx: Pick<Transaction, "query">,
  undo: Pick<Change, "id" | "by">,
  { import: id }: Pick<Target, "import">,
  { done, first }: Pick<UndoneStep, "done" | "first">,
  ends: boolean,
): Promise<void> {
  if (id === undefined) return;
  const deleted = done.filter(({ outcome }: UndoneRecord) => outcome === "deleted").length;
  const { projectId } = undo.by;
  const [noted] = await tx.query<{ changeId: string | null; base: Partial<Record<string, number>> | null }>(
    NOTED,
    [...[projectId, id, undo.id]],
  );
  if (noted === undefined) return;
  const [left] =
    noted.changeId === null
      ? []
      : await tx.query<{ count: number }>(LEFT, [projectId, undo.id, noted.changeId]);
  const counts = {
    deleted: (noted.base?.deleted ?? 0) + deleted,
    restored: (noted.base?.restored ?? 0) + first.ever,
    left: left?.count ?? 0,
  };
  await tx.query(NOTE, [projectId, id, undo.id, JSON.stringify(counts), ends]);
}
