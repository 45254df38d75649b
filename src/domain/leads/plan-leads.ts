import { filterSql } from "./filter-sql.ts";
import { leadColumns } from "./lead-columns.ts";
import type { LeadsQuery } from "./leads-query.ts";
import { pageSql } from "./page-sql.ts";
import type { ProjectFacts } from "./project-facts.ts";
import { readFilter } from "./read-filter.ts";
import { searchSql } from "./search-sql.ts";
import { sortSql } from "./sort-sql.ts";
import { StatementScope } from "./statement-scope.ts";
import { checkTimezone } from "./timezone.ts";

/** A statement that answers a whole page in one row, and whether its plan is worth keeping on the server. */
export interface LeadsPlan {
  text: string;
  values: readonly unknown[];
  prepare: boolean;
}

/** The statement for a query whose filter outlineOf has measured; a Refusal names what is wrong with it. */
export function planLeads(projectId: string, query: LeadsQuery, facts: ProjectFacts): LeadsPlan {
  const { limit = 50, offset = 0, total = "bounded", timezone, search = "", filter } = query;
  if (timezone !== undefined) checkTimezone(timezone);
  const scope = new StatementScope(projectId, timezone);
  const conditions = [
    `project_id = ${scope.project}`,
    "deleted_at IS NULL",
    "merged_into_id IS NULL",
    ...(filter === undefined ? [] : [filterSql(readFilter(filter, facts), scope)]),
    ...searchSql(search, scope),
  ];
  const order = sortSql(query.sort, facts, scope);
  const columns = leadColumns(query.fields);
  const text = pageSql({ scope, columns, where: conditions.join(" AND "), order, limit, offset, total });
  return { text, values: scope.parameters.values, prepare: offset === 0 && isSteady(query) };
}

/** Whether one plan suits every value: without conditions, or with equalities that one index answers in order. */
function isSteady({ filter, search = "" }: LeadsQuery): boolean {
  if (search !== "") return false;
  if (filter === undefined) return true;
  const parts = (filter as { and?: unknown }).and;
  if (!Array.isArray(parts) || parts.length !== 2) return false;
  const named = parts.map((part: { field?: unknown; op?: unknown }) => `${part.field} ${part.op}`);
  return named.includes("status eq") && named.includes("source eq");
}
