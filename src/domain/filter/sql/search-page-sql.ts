import type { Position } from "../../operation/page.ts";
import { BOUND } from "../../operation/page.ts";
import { behind } from "./keyset-sql.ts";
import type { Few, Way } from "./lead-page.ts";
import { gatheredFrom, type Near, type ShortWalk, shortWalkSql } from "./near-sql.ts";
import {
  AMONG_FEW,
  fewSql,
  isFew,
  leadSource,
  type PageSource,
  roomFor,
  TOGETHER,
  waysOf,
} from "./page-sql.ts";
import { orderSql, type SortKey } from "./sort-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

interface SearchPage {
  scope: StatementScope;
  source?: PageSource;
  columns: string;
  where: string;
  keys: readonly SortKey[];
  /** How it is read if there are few candidates. */
  few?: Few | undefined;
  /** The short walk that may be enough. */
  near?: Near | undefined;
  /** The last row of the previous page; undefined for the first page. */
  after: Position | undefined;
  limit: number;
  total: "exact" | "bounded" | "none";
  /** No index has this order, so every match is visited. */
  visits?: boolean;
}

/**
 * Returns a statement for one row: the page as the inside of a JSON array, the number of rows found (one over the
 * limit if more follow, and then one record too many), the position of the last one, the statement's time, and the total if
 * requested.
 */
export function searchPageSql(page: SearchPage): string {
  const { limit, scope, few } = page;
  return `${fewSql(few)}SELECT json, found, positions[${scope.parameters.add(limit)}::integer] AS last,
    ${scope.now}::text AS now, ${countedSql(page)} AS total
  FROM (SELECT ${TOGETHER} AS json, count(*)::integer AS found, array_agg(position) AS positions
    FROM (${page.visits === true && few === undefined ? visitedSql(page) : waysSql(page)}) AS rows) AS page`;
}

function countedSql({ scope, source = leadSource(scope), where, few, total }: SearchPage): string {
  if (total === "none") return "NULL::integer";
  const bound = total === "bounded" ? ` LIMIT ${BOUND + 1}` : "";
  const counted = (from: string, matches: string) =>
    `(SELECT count(*)::integer FROM (SELECT FROM ${from} WHERE ${matches}${bound}) AS matches)`;
  if (source.all !== undefined) return counted("lead", source.all);
  if (few === undefined) return counted(source.from, where);
  return `CASE WHEN ${isFew(few)} THEN ${counted("lead", `${AMONG_FEW} AND ${few.way.where}`)} ELSE ${counted("lead", where)} END`;
}

/** A walk through the order, few candidates sorted, or a short walk: only one of them gives the rows. */
function waysSql(page: SearchPage): string {
  const { scope, source = leadSource(scope), columns, where, keys, few, near } = page;
  if (few === undefined && near === undefined)
    return rowsSql(page, { source, where, keys }, shownSql(columns));
  const short = near && shortWalk(page, near);
  const ways = waysOf(few, short?.enough);
  const walked = `${ways.walk} AND ${where}`;
  const gathered = near?.gathers === true ? { ...source, from: gatheredFrom(source.from, walked) } : source;
  const all = [
    rowsSql(page, { source: gathered, where: near?.gathers === true ? "true" : walked, keys }, "id"),
  ];
  if (near !== undefined)
    all.unshift(`SELECT id, ${positionSql(keys.map((_, i) => `key${i}`))} FROM passed WHERE ${ways.near}`);
  if (few !== undefined) {
    const among = `${ways.few} AND ${AMONG_FEW} AND ${few.way.where}`;
    all.unshift(rowsSql(page, { ...few.way, where: among }, "id"));
  }
  const ids = (short?.sql ?? "") + all.map((each) => `(${each})`).join(" UNION ALL ");
  return `SELECT ${shownSql(columns)}, position
    FROM (SELECT id AS page_id, position, row_number() OVER () AS place FROM (${ids}) AS ids) AS numbered
    JOIN ${source.table ?? source.from} ON ${source.own} AND id = page_id ORDER BY place`;
}

/** The short walk from the position on. What follows that is in one section of the order (see leadPage). */
function shortWalk(
  { scope, source = leadSource(scope), keys, after, limit }: SearchPage,
  near: Near,
): ShortWalk {
  const most = `${scope.parameters.add(limit + 1)}::bigint`;
  const what = ["id", ...keys.map(({ sql }, i) => `${sql} AS key${i}`)].join(", ");
  const [later = "true"] = after === undefined ? [] : behind(keys, after, scope);
  const passed = `${near.passed} AND (${later})`;
  return shortWalkSql({ ...near, passed }, { what, from: source.from, order: orderSql(keys), most });
}

/**
 * If every match must be visited, the first pass reads only the keys and the id, and the other columns are read for
 * the page's leads alone. Otherwise whole rows of a million leads would be read to keep a hundred.
 */
function visitedSql({ scope, source = leadSource(scope), columns, where, keys, after, limit }: SearchPage) {
  const named = keys.map(({ sql }, i) => `, ${sql} AS key${i}`).join("");
  const kept = keys.map((_, i) => `key${i}`).join(", ");
  const parts = after === undefined ? ["true"] : behind(keys, after, scope);
  const later = parts.map((part) => `(${part})`).join(" OR ");
  const ids = `SELECT id${named} FROM ${source.from} WHERE ${where} AND (${later})
    ORDER BY ${orderSql(keys)} LIMIT ${scope.parameters.add(limit + 1)}::bigint`;
  return `SELECT ${shownSql(columns)}, ${positionSql(keys.map((_, i) => `key${i}`))}
    FROM (SELECT id AS page_id, ${kept}, row_number() OVER () AS place FROM (${ids}) AS ids) AS numbered
    JOIN ${source.from} ON ${source.own} AND id = page_id ORDER BY place`;
}

/** Positions are JSON because PostgreSQL cannot take one array out of an array of arrays. */
const positionSql = (keys: readonly string[]): string =>
  `json_build_array(${[...keys.map((key) => `(${key})::text`), "id"].join(", ")})::text AS position`;

const shownSql = (columns: string): string =>
  `(SELECT row_to_json(shown)::text FROM (SELECT ${columns}) AS shown) AS lead`;

/** The rows of a way behind the position, each with its own position. */
function rowsSql({ scope, after, limit }: SearchPage, { source, where, keys }: Way, what: string): string {
  const shown = `${what}, ${positionSql(keys.map(({ sql }) => sql))}`;
  const part = (condition: string, more = "") =>
    `SELECT ${shown}${more} FROM ${source.from} WHERE ${condition} ORDER BY ${orderSql(keys)} LIMIT ${roomFor(limit + 1)}`;
  const parts = after === undefined ? [] : behind(keys, after, scope);
  const [only = "true"] = parts;
  const most = `LIMIT ${scope.parameters.add(limit + 1)}::bigint`;
  if (parts.length < 2) return `SELECT * FROM (${part(`${where} AND (${only})`)}) AS near ${most}`;
  const placed = keys.map(({ sql }, i) => `, ${sql} AS key${i}`).join("");
  const order = orderSql(
    keys.map((key, i) => ({ ...key, sql: `key${i}` })),
    "id",
  );
  const union = parts.map(
    (condition, i) =>
      `(${part(`${where} AND ${condition}`, `, ${i} AS part${placed}${what === "id" ? "" : ", id"}`)})`,
  );
  return `SELECT ${what === "id" ? "id" : "lead"}, position FROM (${union.join(" UNION ALL ")}) AS parts ORDER BY part, ${order} ${most}`;
}
