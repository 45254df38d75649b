import type { LeadsQuery } from "../../../contract/nouns/query.ts";
import { leadColumns } from "../../fields/lead-columns.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import type { AskedDataset } from "../../fields/row-field.ts";
import { includeSql, statusSinceSql } from "../../filter/include.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import { numberedKeys } from "../../filter/sql/number-source.ts";
import { pageSql } from "../../filter/sql/page-sql.ts";
import { orderSql, sortKeys } from "../../filter/sql/sort-sql.ts";
import { BOUND } from "../../operation/page.ts";

/** A statement that returns a whole page in one row. */
export interface LeadsPlan {
  text: string;
  values: readonly unknown[];
  /** Whether it can be marked (see PageMemory): it depends on nothing but its leads. */
  canBeMarked: boolean;
}

/**
 * Returns the statement of a query whose filter passed measureFilter; refuses invalid input. With the `known` mark of the page,
 * or an empty string, the page is marked.
 */
export function planLeads(
  projectId: string,
  query: LeadsQuery,
  schema: ProjectSchema,
  included: readonly AskedDataset[] = [],
  known?: string,
): LeadsPlan {
  const { limit = 50, offset = 0, total = "bounded" } = query;
  const wanted = wantedOf(limit + offset, total);
  const { scope, where, source } = leadConditions(projectId, query, schema, wanted, { paged: true });
  const keys = sortKeys(query.sort, schema, scope);
  const text = pageSql({
    ...{ scope, where, limit, offset, total },
    order: orderSql(source === undefined ? keys : numberedKeys(keys)),
    columns:
      statusSinceSql(query.include, scope) + includeSql(included, scope) + leadColumns(query.fields, schema),
    ...(source && { source }),
    ...(known !== undefined && { known: scope.parameters.text(known) }),
  });
  const canBeMarked = source === undefined && (query.include ?? []).length === 0;
  return { text, values: scope.parameters.values, canBeMarked };
}

/** How many matches the page and its total read. */
function wantedOf(page: number, total: NonNullable<LeadsQuery["total"]>): number {
  if (total === "exact") return Number.POSITIVE_INFINITY;
  return Math.max(page, total === "bounded" ? BOUND : 0) + 1;
}
