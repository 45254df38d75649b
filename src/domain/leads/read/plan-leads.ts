import type { LeadsQuery } from "../../../contract/leads/query.ts";
import { leadColumns, leadMembers } from "../../fields/lead-columns.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import type { AskedDataset } from "../../fields/row-field.ts";
import { includeSql, statusSinceSql } from "../../filter/include.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import { leadPage } from "../../filter/sql/lead-page.ts";
import { pageSql } from "../../filter/sql/page-sql.ts";
import { orderSql } from "../../filter/sql/sort-sql.ts";
import type { Filter } from "../../filter/tree/filter.ts";
import { BOUND } from "../../operation/page.ts";

/** A statement that returns a whole page in one row. */
export interface LeadsPlan {
  text: string;
  values: readonly unknown[];
  /** Whether it can be marked (see PageMemory): it depends on nothing but its leads. */
  canBeMarked: boolean;
  /** The indexes of fields that it uses. */
  ids: readonly number[];
  /** The filter as it was read. */
  filter: Filter | undefined;
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
  const conditions = leadConditions(projectId, query, schema, wanted);
  const { scope, filter } = conditions;
  const { few, near, ids, source, where, keys } = leadPage(
    conditions,
    query.sort,
    schema,
    limit + offset + 1,
  );
  const isPart = source.all !== undefined;
  const canBeMarked = few === undefined && ids.length === 0 && (query.include ?? []).length === 0 && !isPart;
  const text = pageSql({
    ...{ scope, source, where, near, limit, offset, total },
    order: orderSql(keys),
    few: few && { ...few, where: few.way.where, order: orderSql(few.way.keys) },
    columns:
      statusSinceSql(query.include, scope) + includeSql(included, scope) + leadColumns(query.fields, schema),
    ...(known !== undefined && {
      known: scope.parameters.text(known),
      members: leadMembers(query.fields, schema),
    }),
  });
  return { text, values: scope.parameters.values, canBeMarked, ids, filter };
}

/** How many matches the page and its total read. */
function wantedOf(page: number, total: NonNullable<LeadsQuery["total"]>): number {
  if (total === "exact") return Number.POSITIVE_INFINITY;
  return Math.max(page, total === "bounded" ? BOUND : 0) + 1;
}
