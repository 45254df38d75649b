import type { LeadsQuery } from "../../../contract/nouns/query.ts";
import { leadColumns } from "../../fields/lead-columns.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import type { AskedDataset } from "../../fields/row-field.ts";
import { includeSql, statusSinceSql } from "../../filter/include.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import { pageSql } from "../../filter/sql/page-sql.ts";
import { orderSql, sortKeys } from "../../filter/sql/sort-sql.ts";
import { BOUND } from "../../operation/page.ts";

/** A statement that returns a whole page in one row. */
export interface LeadsPlan {
  text: string;
  values: readonly unknown[];
  /** Whether one more value follows: the mark of the known page, or an empty string. */
  marked: boolean;
}

/** Returns the statement of a query whose filter passed measureFilter; refuses invalid input. */
export function planLeads(
  projectId: string,
  query: LeadsQuery,
  schema: ProjectSchema,
  included: readonly AskedDataset[] = [],
): LeadsPlan {
  const { limit = 50, offset = 0, total = "bounded" } = query;
  const wanted = wantedOf(limit + offset, total);
  const { scope, where, source } = leadConditions(projectId, query, schema, wanted, { paged: true });
  const keys = sortKeys(query.sort, schema, scope);
  const order = orderSql(keys);
  const columns =
    statusSinceSql(query.include, scope) + includeSql(included, scope) + leadColumns(query.fields, schema);
  const { values } = scope.parameters;
  const marked = source === undefined && (query.include ?? []).length === 0;
  const text = pageSql({
    ...{ scope, columns, where, order, limit, offset, total },
    ...(source && { source }),
    ...(marked && { known: `$${values.length + 1}::text` }),
  });
  return { text, values, marked };
}

/** How many matches the page and its total read. */
function wantedOf(page: number, total: NonNullable<LeadsQuery["total"]>): number {
  if (total === "exact") return Number.POSITIVE_INFINITY;
  return Math.max(page, total === "bounded" ? BOUND : 0) + 1;
}
