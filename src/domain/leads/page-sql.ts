import type { StatementScope } from "./statement-scope.ts";

/** From here on the page's ids come from the index first, and only their rows are read. */
const DEEP = 500;

/** A bounded total counts no further. */
export const BOUND = 10_000;

interface Page {
  scope: StatementScope;
  columns: string;
  where: string;
  order: string;
  limit: number;
  offset: number;
  total: "exact" | "bounded" | "none";
}

/**
 * One row: the page's leads as the inside of a JSON array, how many were found (one over the limit says
 * there are more), and the total. Limit and offset are literals, because the planner must know them.
 */
export function pageSql(page: Page): string {
  return `SELECT json, found, ${totalSql(page)} AS total FROM (
  SELECT array_to_string((array_agg(lead))[1:${page.limit}], ',') AS json, count(*)::integer AS found
  FROM (SELECT row_to_json(shown)::text AS lead FROM (${rowsSql(page)}) AS shown) AS leads
) AS page`;
}

function rowsSql({ scope, columns, where, order, limit, offset }: Page): string {
  const part = `ORDER BY ${order} LIMIT ${limit + 1} OFFSET ${offset}`;
  if (offset < DEEP) return `SELECT ${columns} FROM lead WHERE ${where} ${part}`;
  return `SELECT ${columns} FROM (
    SELECT id AS page_id, row_number() OVER () AS place FROM (SELECT id FROM lead WHERE ${where} ${part}) AS ids
  ) AS numbered JOIN lead ON project_id = ${scope.project} AND id = page_id ORDER BY place`;
}

/** Counts only where the page itself does not tell. */
function totalSql({ where, limit, offset, total }: Page): string {
  if (total === "none") return "NULL::integer";
  const bound = total === "bounded" ? ` LIMIT ${BOUND + 1}` : "";
  const known = `found <= ${limit}${offset === 0 ? "" : " AND found > 0"}`;
  const all = `(SELECT count(*) FROM (SELECT FROM lead WHERE ${where}${bound}) AS matches)`;
  return `CASE WHEN ${known} THEN ${offset} + found ELSE ${all} END`;
}
