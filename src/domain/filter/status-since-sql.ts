import type { StatementScope } from "./sql/statement-scope.ts";

/** What an include asks for when it wants this. */
export const STATUS_SINCE = "status_since";

/**
 * One more column of `lead`, with a comma behind it: when the lead came into its present status, by its timeline; when it
 * was made where nothing is told there. Reads a lead's events backwards to its last change of status.
 */
export const statusSinceSql = (include: readonly string[] | undefined, scope: StatementScope): string =>
  include?.includes(STATUS_SINCE) === true
    ? `coalesce((SELECT e.occurred_at FROM event e
        WHERE e.project_id = ${scope.project} AND e.lead_id = lead.id AND e.merged_from IS NULL
          AND e.type = 'lead.updated' AND e.data ->> 'field' = 'status' AND e.data ->> 'to' = lead.status
        ORDER BY e.occurred_at DESC, e.id LIMIT 1), lead.created_at) AS ${STATUS_SINCE}, `
    : "";
