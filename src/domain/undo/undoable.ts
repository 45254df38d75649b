import { FINAL_KINDS, type IRREVERSIBLE } from "../../contract/lists/changes.ts";
import type { Needs, Permission } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import { BEING_MADE_SQL, stillRunning } from "../changes/being-made.ts";
import { UNDONE_SQL } from "../changes/mark-undone.ts";
import { type Parameters, PROJECT } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";

/**
 * SQL for whether all that change `c` did was erased: its only lead, or every record. Of events that it recorded on several leads, what
 * withdrew them has the records, which is not known here.
 */
const NOTHING_LEFT = `EXISTS (SELECT FROM tombstone t WHERE t.project_id = ${PROJECT} AND t.lead_id = c.lead_id AND t.type = 'lead.erased')
  OR NOT c.counts ? 'events_added' AND NOT EXISTS (SELECT FROM event e WHERE e.project_id = ${PROJECT} AND e.change_id = c.id)
    AND NOT EXISTS (SELECT FROM change_item o
      WHERE o.project_id = ${PROJECT} AND o.change_id IN (c.id, c.undone_by) AND o.kind <> 'undone')
    AND NOT EXISTS (SELECT FROM merge m WHERE m.project_id = ${PROJECT} AND m.id = c.about ->> 'merge_id')`;

/** SQL for why change `c` cannot be undone; NULL if it can. */
export const IRREVERSIBLE_SQL = `CASE WHEN c.kind IN (${FINAL_KINDS.map((kind) => `'${kind}'`).join(", ")}) THEN 'final'
  WHEN ${UNDONE_SQL} THEN 'undone' WHEN ${BEING_MADE_SQL} THEN 'running'
  WHEN c.items_gone_at IS NOT NULL OR (c.kind = 'import' AND EXISTS (SELECT FROM import i
    WHERE i.project_id = ${PROJECT} AND i.id = c.about ->> 'import_id' AND i.expires_at <= moment()))
    OR (${NOTHING_LEFT}) THEN 'values_gone' END`;

/** SQL for whether the caller may undo change `c`: its own, or anyone's for an owner or admin. */
export function mayUndoSql(caller: Credential, parameters: Parameters): string {
  const project = () => parameters.text(caller.projectId);
  switch (caller.kind) {
    case "key":
      return `(c.actor ->> 'type' = 'key' AND c.actor ->> 'id' = ${parameters.text(caller.id)})`;
    case "person":
      return `(SELECT c.person_id = m.person_id IS TRUE OR m.role IN ('owner', 'admin') FROM membership m
        WHERE m.project_id = ${project()} AND m.person_id = ${parameters.text(caller.personId)})`;
    case "token":
      return `(SELECT c.person_id = m.person_id IS TRUE OR m.role IN ('owner', 'admin') FROM access_token t
        JOIN "authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
        JOIN membership m ON m.project_id = a.project_id AND m.person_id = a.person_id
        WHERE t.project_id = ${project()} AND t.hash = ${parameters.add(caller.hash)}::bytea)`;
  }
}

type Irreversible = (typeof IRREVERSIBLE)[number];

/** The refusal (403) to undo a change of somebody else. */
export const notYours = (): Refusal =>
  new Refusal(
    "forbidden",
    "not_yours",
    "This change is not yours. Only its author, or an owner or admin of the project, can undo it.",
  );

/** The refusal (409) to undo a change that cannot be undone. */
export function irreversible(why: Irreversible, undoneBy: string | null): Refusal {
  switch (why) {
    case "undone":
      return alreadyUndone(undoneBy);
    case "running":
      return stillRunning();
    case "values_gone":
      return new Refusal(
        "conflict",
        "values_gone",
        "The values that this change replaced are no longer kept, so it cannot be undone.",
      );
    case "final":
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

export type Counts = Partial<Record<string, number>>;

const hasWritten = (counts: Counts, what: RegExp): boolean =>
  Object.keys(counts).some((name) => what.test(name));

/** What undoing a change requires: the permission to write what it wrote. */
export function needsToUndo(counts: Counts): Needs {
  const all: Permission[] = [];
  if (hasWritten(counts, /^(leads|events)_/)) all.push("leads:write");
  if (hasWritten(counts, /^rows_/)) all.push("datasets:write");
  if (hasWritten(counts, /^fields_/)) all.push("schema:write");
  if (hasWritten(counts, /^views_/)) all.push("leads:write", "leads:read");
  const [first = "leads:write", ...others] = all;
  return { any: [first], all: others };
}

/** The permissions to read what a change wrote, which a dry run and the records of an undo tell. */
export function readsOf(counts: Counts): Permission[] {
  const all: Permission[] = [];
  if (hasWritten(counts, /^(leads|events|fields|views)_/)) all.push("leads:read");
  if (hasWritten(counts, /^rows_/)) all.push("datasets:read");
  return all.length === 0 ? ["leads:read"] : all;
}
