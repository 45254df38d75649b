import { FINAL_KINDS } from "../../../contract/lists/changes.ts";
import { BEING_MADE_SQL, RUNNING_SQL } from "../../changes/being-made.ts";
import { leadNameSql } from "../../leads/read/lead-name.ts";
import { type Parameters, PROJECT } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";

/** SQL for whether change `c` is undone: an undo whose job did not get to its end can be continued. */
export const UNDONE_SQL = `(c.undone_by IS NOT NULL AND NOT EXISTS (SELECT FROM change u JOIN job j
  ON j.project_id = ${PROJECT} AND j.id = u.job_id AND j.state IN ('failed', 'cancelled')
  WHERE u.project_id = ${PROJECT} AND u.id = c.undone_by))`;

/** SQL for why change `c` cannot be undone; NULL if it can. */
export const IRREVERSIBLE_SQL = `CASE WHEN c.kind IN (${FINAL_KINDS.map((kind) => `'${kind}'`).join(", ")}) THEN 'final'
  WHEN ${UNDONE_SQL} THEN 'undone' WHEN ${BEING_MADE_SQL} THEN 'running'
  WHEN c.items_gone_at IS NOT NULL OR (c.kind = 'import' AND EXISTS (SELECT FROM import i
    WHERE i.project_id = ${PROJECT} AND i.id = c.about ->> 'import_id' AND i.expires_at <= moment())) THEN 'values_gone' END`;

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

/** SQL for a change as JSON text, from a row called `c`. */
export const changeJson = (caller: Credential, parameters: Parameters, more = ""): string =>
  `json_build_object('id', c.id, 'kind', c.kind, 'surface', c.surface, 'actor', c.actor, 'created_at', c.created_at,
    'request_id', c.request_id, 'lead_id', c.lead_id,
    'lead_name', (SELECT ${leadNameSql("l")} FROM lead l WHERE l.project_id = ${PROJECT} AND l.id = c.lead_id),
    'about', c.about, 'counts', c.counts, 'state', CASE WHEN ${RUNNING_SQL} THEN 'running' ELSE 'done' END, 'job_id', c.job_id,
    'undoes', c.undoes, 'undone_by', c.undone_by, 'reversible', (${IRREVERSIBLE_SQL}) IS NULL, 'irreversible', ${IRREVERSIBLE_SQL},
    'may_undo', coalesce(${mayUndoSql(caller, parameters)}, false)${more})::text`;
