import { maySql } from "../operation/may-sql.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";

/** A job as JSON text. */
export interface JobRow {
  id: string;
  json: string;
}

const count = (name: string): string => `coalesce((result -> '${name}')::bigint, 0) AS ${name}`;

/** A statement that returns jobs as their project sees them; only callers who may read leads see the query. */
export const jobRecords = (rows: string, caller: Credential, parameters: Parameters): string =>
  `SELECT id, row_to_json(shown)::text AS json FROM (
    SELECT id, kind, input ->> 'op' AS op, state,
      CASE WHEN kind = 'bulk' AND ${maySql(caller, parameters, "leads:read")} THEN input - 'op' END AS query,
      actor, done, total, ${["changed", "unchanged", "skipped"].map(count).join(", ")},
      CASE WHEN ${maySql(caller, parameters, "leads:read")} THEN coalesce((result -> 'opt_outs_kept')::bigint, 0) ELSE 0 END AS opt_outs_kept,
      change_id, error, created_at, started_at, finished_at
    FROM (${rows}) AS job) AS shown ORDER BY id DESC`;

/** One job of the project, as a statement. */
export function oneJob(caller: Credential, id: string): { text: string; values: readonly unknown[] } {
  const parameters = new Parameters();
  const rows = `SELECT * FROM job WHERE project_id = ${parameters.text(caller.projectId)}
    AND id = ${parameters.text(id)} AND kind IN ('bulk', 'undo')`;
  return { text: jobRecords(rows, caller, parameters), values: parameters.values };
}
