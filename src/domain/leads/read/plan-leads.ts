import { leadColumns } from "../../fields/lead-columns.ts";
import type { ProjectFacts } from "../../fields/project-facts.ts";
import type { AskedDataset } from "../../fields/row-field.ts";
import { includeSql } from "../../filter/include-sql.ts";
import type { LeadsQuery } from "../../filter/leads-query.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import { numberedKeys } from "../../filter/sql/number-source.ts";
import { pageSql } from "../../filter/sql/page-sql.ts";
import { orderSql, sortKeys } from "../../filter/sql/sort-sql.ts";
import { statusSinceSql } from "../../filter/status-since-sql.ts";
import { BOUND } from "../../operation/page.ts";

/** A statement that answers a whole page in one row. */
export interface LeadsPlan {
  text: string;
  values: readonly unknown[];
  /** Whether one more value is to follow: the mark of the page that is known already, or an empty text. */
  marked: boolean;
}

/** The statement for a query whose filter outlineOf has measured; a Refusal names what is wrong with it. */
export function planLeads(
  projectId: string,
  query: LeadsQuery,
  facts: ProjectFacts,
  included: readonly AskedDataset[] = [],
): LeadsPlan {
  const { limit = 50, offset = 0, total = "bounded" } = query;
  const wanted = wantedOf(limit + offset, total);
  const { scope, where, source } = leadConditions(projectId, query, facts, wanted, { paged: true });
  const keys = sortKeys(query.sort, facts, scope);
  const order = orderSql(source === undefined ? keys : numberedKeys(keys));
  const columns =
    statusSinceSql(query.include, scope) + includeSql(included, scope) + leadColumns(query.fields, facts);
  const { values } = scope.parameters;
  const marked = source === undefined && (query.include ?? []).length === 0;
  const text = pageSql({
    ...{ scope, columns, where, order, limit, offset, total },
    ...(source && { source }),
    ...(marked && { known: `$${values.length + 1}::text` }),
  });
  return { text, values, marked };
}

/** How many matches the page and its total look at. */
function wantedOf(page: number, total: NonNullable<LeadsQuery["total"]>): number {
  if (total === "exact") return Number.POSITIVE_INFINITY;
  return Math.max(page, total === "bounded" ? BOUND : 0) + 1;
}
