import { anyLinkSql, linkSql, survivorsSql } from "../../fields/link.ts";
import type { DatasetCondition, Filter } from "../tree/filter.ts";
import type { StatementScope } from "./statement-scope.ts";

/**
 * How many rows of a dataset mean the lead. Rows find their leads by identity when they are asked, through the
 * indexes over both, so that a lead which came, changed or went after its rows is met as it is. Rows of merged leads
 * belong to those who they became.
 */
export function datasetSql(
  { id, link, merged, where, count }: DatasetCondition,
  scope: StatementScope,
  filterSql: (filter: Filter, scope: StatementScope) => string,
): string {
  const { negated, least, most = Number.POSITIVE_INFINITY } = count;
  // Decided before any parameter is added: PostgreSQL refuses those that its statement does not use.
  if (least > most) return String(negated);
  const isOpen = most === Number.POSITIVE_INFINITY;
  if (least === 0 && isOpen) return String(!negated);
  const own = [
    `r.project_id = ${scope.project}`,
    `r.dataset_id = ${scope.parameters.text(id)}`,
    ...(where === undefined ? [] : [`(${filterSql(where, scope)})`]),
  ].join(" AND ");
  const some = (same: string) => `SELECT FROM dataset_row r WHERE ${own} AND ${same}`;
  const found = some((merged ? anyLinkSql : linkSql)(link, "lead"));
  // OFFSET 0 has each lead looked up: those without a row are mostly many, but the planner expects none, and it would
  // read all rows beside an OR.
  const each = most === 0 || (merged && where === undefined) ? " OFFSET 0" : "";
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
