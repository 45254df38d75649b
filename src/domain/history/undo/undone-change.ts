import type { ChangeKind, IRREVERSIBLE } from "../../../contract/lists/changes.ts";
import type { Needs, Permission } from "../../../core/permission.ts";
import { notFound, Refusal } from "../../../core/refusal.ts";
import type { Queryable, Transaction } from "../../../db/pool/database.ts";
import { mustBeComplete, stillRunning } from "../../changes/being-made.ts";
import type { Change, ChangeAbout } from "../../changes/change.ts";
import { markUndoneBy } from "../../changes/mark-undone.ts";
import { Parameters } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { IRREVERSIBLE_SQL, mayUndoSql, UNDONE_SQL } from "../read/change-record.ts";

/** A change that is to be undone. */
export interface UndoneChange {
  id: string;
  kind: ChangeKind;
  about: ChangeAbout;
  counts: Partial<Record<string, number>>;
  lead_id: string | null;
  undoes: string | null;
  undone_by: string | null;
  /** When it began, as PostgreSQL prints it. */
  since: string;
  irreversible: (typeof IRREVERSIBLE)[number] | null;
  may_undo: boolean;
}

/** Reads a change that a caller wants to undo; refuses one that does not exist, or that cannot be undone by this caller. */
export async function undoneChange(
  db: Pick<Queryable, "query">,
  caller: Credential,
  id: string,
): Promise<UndoneChange> {
  const parameters = new Parameters();
  const project = parameters.text(caller.projectId);
  const text = `SELECT c.id, c.kind, c.about, c.counts, c.lead_id, c.undoes, c.undone_by,
      c.created_at::text AS since, ${IRREVERSIBLE_SQL} AS irreversible, coalesce(${mayUndoSql(caller, parameters)}, false) AS may_undo
    FROM change c WHERE c.project_id = ${project} AND c.id = ${parameters.text(id)}`;
  const [change] = await db.query<UndoneChange>(text, parameters.values);
  if (change === undefined) throw notFound("change");
  if (!change.may_undo) {
    const message =
      "This change is not yours. Only its author, or an owner or admin of the project, can undo it.";
    throw new Refusal("forbidden", "not_yours", message);
  }
  if (change.irreversible !== null) throw irreversible(change);
  return change;
}

function irreversible({ irreversible: why, undone_by: by }: UndoneChange): Refusal {
  switch (why) {
    case "undone":
      return alreadyUndone(by);
    case "running":
      return stillRunning();
    case "values_gone":
      return new Refusal(
        "conflict",
        "values_gone",
        "The values that this change replaced are no longer kept, so it cannot be undone.",
      );
    default:
      return new Refusal(
        "conflict",
        "irreversible",
        "What this change removed is gone for good. It cannot be undone.",
      );
  }
}

function alreadyUndone(by: string | null): Refusal {
  const message = `This change has been undone already${by === null ? "" : ` by ${by}`}. To make it again, undo that one.`;
  return new Refusal("conflict", "already_undone", message, {
    faults: by === null ? [] : [{ path: "id", code: "undone_by", message: by }],
  });
}

type Counted = Pick<UndoneChange, "counts">;

const hasWritten = ({ counts }: Counted, what: RegExp): boolean =>
  Object.keys(counts).some((name) => what.test(name));

/** What undoing a change requires: the permission to write what it wrote. */
export function needsToUndo(change: Counted): Needs {
  const all: Permission[] = [];
  if (hasWritten(change, /^(leads|events)_/)) all.push("leads:write");
  if (hasWritten(change, /^rows_/)) all.push("datasets:write");
  if (hasWritten(change, /^fields_/)) all.push("schema:write");
  if (hasWritten(change, /^views_/)) all.push("leads:write", "leads:read");
  const [first = "leads:write", ...others] = all;
  return { any: [first], all: others };
}

/** The permissions to read what a change wrote, which a dry run and the records of an undo tell. */
export function readsOf(change: Counted): Permission[] {
  const all: Permission[] = [];
  if (hasWritten(change, /^(leads|events|fields|views)_/)) all.push("leads:read");
  if (hasWritten(change, /^rows_/)) all.push("datasets:read");
  return all.length === 0 ? ["leads:read"] : all;
}

/** How many records a change has at most. */
export const sizeOf = ({ counts }: Counted): number =>
  Object.entries(counts).reduce((sum, [name, count = 0]) => sum + (name === "kept" ? 0 : count), 0);

/** Locked, so that two callers who undo it at once come one after the other. */
const OPEN = `SELECT FROM change c WHERE c.project_id = $1 AND c.id = $2 AND NOT ${UNDONE_SQL}
  AND c.items_gone_at IS NULL FOR UPDATE OF c`;
const IMPORT = `UPDATE import SET state = $4, undo = NULL, undo_change_id = NULL, undo_at = NULL
  WHERE project_id = $1 AND id = $2 AND state = $3`;

/** Marks a change as undone, which decides between two callers who undo it at once. */
export async function markUndone(tx: Transaction, undo: Change, undone: UndoneChange): Promise<void> {
  const { projectId } = undo.by;
  if ((await tx.query(OPEN, [projectId, undone.id])).length === 0) throw alreadyUndone(null);
  await mustBeComplete(tx, projectId, undone.id);
  const meaning = await markUndoneBy(tx, projectId, { id: undone.id, by: undo.id });
  const { import_id: id } = undone.about;
  if (undone.undoes === null || id === undefined) return;
  const states = meaning === "undone" ? ["done", "undone"] : ["undone", "done"];
  await tx.query(IMPORT, [projectId, id, ...states]);
}
