import { anyLinkSql, linkSql, survivorsSql } from "../../fields/link.ts";
import { constantOf } from "../tree/constant-filter.ts";
import type { DatasetCondition, Filter } from "../tree/filter.ts";
import type { StatementScope } from "./statement-scope.ts";

/**
 * Returns the condition on a dataset's rows that link to the lead. Links are resolved by identity at query time,
 * through indexes on both sides, so leads that were created, changed or deleted after their rows match correctly.
 * Rows linked to a merged lead count for the surviving lead.
 */
export function datasetSql(
  { id, link, merged, where, count, eachLead }: DatasetCondition,
  scope: StatementScope,
  filterSql: (filter: Filter, scope: StatementScope) => string,
): string {
  const { negated, least, most = Number.POSITIVE_INFINITY } = count;
  // Decided before a parameter is added: PostgreSQL rejects parameters that the statement does not use.
  if (least > most) return String(negated);
  const isOpen = most === Number.POSITIVE_INFINITY;
  if (least === 0 && isOpen) return String(!negated);
  // Citus does not plan NOT EXISTS of what is false for every row.
  if (where !== undefined && constantOf(where) === false) return String((least === 0) !== negated);
  const own = rowsSql({ id, where }, scope, filterSql);
  const some = (same: string) => `SELECT FROM dataset_row r WHERE ${own} AND ${same}`;
  const found = some((merged ? anyLinkSql : linkSql)(link, "lead"));
  // OFFSET 0 forces a lookup per lead. Usually many leads have no row, but the planner expects none and would
  // read all rows when the condition is part of an OR.
  const each = most === 0 || eachLead === true || (merged && where === undefined) ? " OFFSET 0" : "";
  const direct = `EXISTS (${some(linkSql(link, "lead"))}${each})`;
  const exists = merged ? `(${direct} OR lead.id = ANY (${survivorsSql(link, scope.project, own)}))` : direct;
  const counted = `(SELECT count(*) FROM (${found} LIMIT ${isOpen ? least : most + 1}) AS found)`;
  const sql =
    least === 1 && isOpen
      ? exists
      : most === 0
        ? `NOT ${exists}`
        : `(${counted} BETWEEN ${least} AND ${isOpen ? least : most})`;
  return negated ? `NOT ${sql}` : sql;
}

/** Returns a query for the ids of leads that have such rows; a lead may be there twice. Merged leads are left out. */
export function linkedSql(
  { id, link, where }: DatasetCondition,
  scope: StatementScope,
  filterSql: (filter: Filter, scope: StatementScope) => string,
): string {
  const own = rowsSql({ id, where }, scope, filterSql);
  // OFFSET 0 makes it one search for each row.
  return `SELECT linked.id FROM dataset_row r, LATERAL (SELECT m.id FROM lead m
    WHERE m.project_id = ${scope.project} AND ${linkSql(link, "m")} OFFSET 0) AS linked WHERE ${own}`;
}

/** The condition on rows `r` themselves. */
const rowsSql = (
  { id, where }: Pick<DatasetCondition, "id"> & { where: Filter | undefined },
  scope: StatementScope,
  filterSql: (filter: Filter, scope: StatementScope) => string,
): string =>
  [
    `r.project_id = ${scope.project}`,
    `r.dataset_id = ${scope.parameters.text(id)}`,
    ...(where === undefined ? [] : [`(${filterSql(where, scope)})`]),
  ].join(" AND ");
