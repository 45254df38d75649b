import { RUNNING_SQL } from "../../changes/being-made.ts";
import { leadNameSql } from "../../leads/read/lead-name.ts";
import { type Parameters, PROJECT } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { IRREVERSIBLE_SQL, mayUndoSql } from "../../undo/undoable.ts";

/** SQL for a change as JSON text, from a row called `c`. */
export const changeJson = (caller: Credential, parameters: Parameters, more = ""): string =>
  `json_build_object('id', c.id, 'kind', c.kind, 'surface', c.surface, 'actor', c.actor, 'created_at', c.created_at,
    'request_id', c.request_id, 'lead_id', c.lead_id,
    'lead_name', (SELECT ${leadNameSql("l")} FROM lead l WHERE l.project_id = ${PROJECT} AND l.id = c.lead_id),
    'about', c.about, 'counts', c.counts, 'state', CASE WHEN ${RUNNING_SQL} THEN 'running' ELSE 'done' END, 'job_id', c.job_id,
    'undoes', c.undoes, 'undone_by', c.undone_by, 'reversible', (${IRREVERSIBLE_SQL}) IS NULL, 'irreversible', ${IRREVERSIBLE_SQL},
    'may_undo', coalesce(${mayUndoSql(caller, parameters)}, false)${more})::text`;
