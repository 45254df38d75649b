import { BOUND } from "../../operation/page.ts";
import { gatheredFrom, type Near, shortWalkSql } from "./near-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

/** From this offset on, the page's ids are read from the index first, and then only their rows. */
const DEEP = 500;

interface Page {
  scope: StatementScope;
  /** The table of the page, if not `lead`. */
  source?: PageSource;
  columns: string;
  /** The names of the columns. */
  members?: readonly string[];
  where: string;
  order: string;
  /** How it is read if there are few candidates. */
  few?: FewRows | undefined;
  /** The short walk that may be enough. */
  near?: Near | undefined;
  limit: number;
  offset: number;
  total: "exact" | "bounded" | "none";
  /** The mark that the caller already has, as SQL; only for columns that depend on nothing but the row. */
  known?: string;
}

/** Few candidates of a page; see Few. */
interface FewRows {
  sql: string;
  most: number;
  later: boolean;
  where: string;
  order: string;
}

/** What to page through; `own` is a condition that all of its rows meet. */
export interface PageSource {
  from: string;
  /** The table of its rows, if it is a join. */
  table?: string;
  own: string;
  /** The WHERE clause of all matches in `table`, if `from` has only some of them. */
  all?: string;
}

/** The default source of pages: leads. */
export const leadSource = (scope: StatementScope): PageSource => ({
  from: "lead",
  own: `project_id = ${scope.project}`,
});

/** SQL that puts the records of a page, named `lead`, together; a page that has one too many is cut at the last line break (see page.ts). */
export const TOGETHER = "string_agg(lead, E',\\n')";

/**
 * How many rows the planner is told that a page reads: 100, 500, 2,500 and so on, and one more. PostgreSQL plans by a literal
 * limit only, but every literal is another statement to prepare.
 */
export function roomFor(rows: number): number {
  let room = 100;
  while (room + 1 < rows) room *= 5;
  return room + 1;
}

/**
 * Returns a statement for one row: the page as the inside of a JSON array, the number of rows found (one over the
 * limit if more follow, and then one record too many) and the total.
 */
export function pageSql(page: Page): string {
  if (page.known !== undefined) return markedSql(page, page.known);
  return `${fewSql(page.few)}SELECT json, found, ${totalSql(page)} AS total FROM (
  SELECT ${TOGETHER} AS json, count(*)::integer AS found
  FROM (SELECT row_to_json(shown)::text AS lead FROM (${rowsSql(page)}) AS shown) AS leads
) AS page`;
}

/**
 * The same with a mark: the page's rows and the transaction that last wrote each. If the caller knows it, the JSON,
 * which is most of a page's cost, is not built. A restored backup numbers transactions again, so the epoch is part
 * of the mark.
 */
function markedSql(page: Page, known: string): string {
  const { columns, members = [columns] } = page;
  const source = { ...leadSource(page.scope), from: "written_lead AS lead" };
  return `WITH part AS MATERIALIZED (${rowsSql({ ...page, source, columns: `${columns}, written_by` })})
  SELECT CASE WHEN mark IS DISTINCT FROM ${known} THEN (
      SELECT ${TOGETHER} FROM (SELECT row_to_json(shown)::text AS lead FROM (SELECT ${members.join(", ")} FROM part) AS shown) AS leads
    ) END AS json, mark, found, ${totalSql(page)} AS total
  FROM (
    SELECT (SELECT value FROM service_state WHERE key = 'epoch') || ' '
        || encode(sha256(convert_to(string_agg(id || ' ' || written_by, ','), 'UTF8')), 'base64') AS mark,
      count(*)::integer AS found
    FROM part
  ) AS page`;
}

/** The candidates of a page, as the beginning of its statement; one more than there may be is enough to know. */
export const fewSql = (few: Pick<FewRows, "sql" | "most"> | undefined): string =>
  few === undefined
    ? ""
    : `WITH few (id) AS MATERIALIZED (SELECT * FROM (${few.sql}) AS candidates LIMIT ${few.most + 1}) `;

/** SQL that is true if there are few candidates. It is decided once, so that the other way is not gone at all. */
export const isFew = ({ most }: Pick<FewRows, "most">): string => `(SELECT count(*) FROM few) <= ${most}`;

/**
 * When each way is taken, as SQL: the first of them that gives the whole page. `enough` is that the short walk does. PostgreSQL
 * decides in the order of these words, and so does not find what it need not know.
 */
export function waysOf(
  few: Pick<FewRows, "most" | "later"> | undefined,
  enough: string | undefined,
): Record<"few" | "near" | "walk", string> {
  const near = enough ?? "false";
  if (few === undefined) return { few: "false", near, walk: `NOT ${near}` };
  const isIt = isFew(few);
  if (enough === undefined) return { few: isIt, near, walk: `NOT ${isIt}` };
  if (few.later) return { few: `NOT ${near} AND ${isIt}`, near, walk: `NOT ${near} AND NOT ${isIt}` };
  return { few: isIt, near: `NOT ${isIt} AND ${near}`, walk: `NOT ${isIt} AND NOT ${near}` };
}

/** SQL for leads that are candidates. */
export const AMONG_FEW = "id = ANY (ARRAY(SELECT few.id FROM few))";

function rowsSql(page: Page): string {
  const { scope, source = leadSource(scope), columns, where, order, few, near, limit, offset } = page;
  const { from, own } = source;
  const room = roomFor(limit + offset + 1);
  const walk = (what: string) => `SELECT ${what} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${room}`;
  const part = `OFFSET ${scope.parameters.add(offset)}::bigint LIMIT ${scope.parameters.add(limit + 1)}::bigint`;
  if (few === undefined && near === undefined && offset < DEEP)
    return `SELECT * FROM (${walk(columns)}) AS near ${part}`;
  const ids = few === undefined && near === undefined ? walk("id") : idsSql(page, room);
  return `SELECT ${columns} FROM (
    SELECT id AS page_id, row_number() OVER () AS place FROM (SELECT id FROM (${ids}) AS near ${part}) AS ids
  ) AS numbered JOIN ${source.table ?? from} ON ${own} AND id = page_id ORDER BY place`;
}

/** The ids of few candidates in order, of a short walk, or of a walk: only one of them gives any. */
function idsSql(
  { scope, source = leadSource(scope), where, order, few, near, limit, offset }: Page,
  room: number,
): string {
  const { from } = source;
  const most = () => `${scope.parameters.add(limit + offset + 1)}::bigint`;
  const short = near && shortWalkSql(near, { what: "id", from, order, most: most() });
  const ways = waysOf(few, short?.enough);
  const walked = `${ways.walk} AND ${where}`;
  const matches = near?.gathers === true ? gatheredFrom(from, walked) : `${from} WHERE ${walked}`;
  const all = [`SELECT id FROM ${matches} ORDER BY ${order} LIMIT ${room}`];
  if (near !== undefined) all.unshift(`SELECT id FROM passed WHERE ${ways.near}`);
  if (few !== undefined)
    all.unshift(
      `SELECT id FROM lead WHERE ${ways.few} AND ${AMONG_FEW} AND ${few.where} ORDER BY ${few.order} LIMIT ${room}`,
    );
  return (short?.sql ?? "") + all.map((each) => `(${each})`).join(" UNION ALL ");
}

/** Counts only if the page itself does not give the total. */
function totalSql({ scope, source = leadSource(scope), where, few, limit, offset, total }: Page): string {
  if (total === "none") return "NULL::integer";
  const bound = total === "bounded" ? ` LIMIT ${BOUND + 1}` : "";
  const counted = (from: string, matches: string) =>
    `(SELECT count(*) FROM (SELECT FROM ${from} WHERE ${matches}${bound}) AS matches)`;
  if (source.all !== undefined) return counted("lead", source.all);
  const [most, before] = [scope.parameters.add(limit), scope.parameters.add(offset)];
  const known = `found <= ${most}::bigint AND (found > 0 OR ${before}::bigint = 0)`;
  const all = few === undefined ? counted(source.from, where) : counted("lead", where);
  const others =
    few === undefined ? "" : ` WHEN ${isFew(few)} THEN ${counted("lead", `${AMONG_FEW} AND ${few.where}`)}`;
  return `CASE WHEN ${known} THEN ${before}::bigint + found${others} ELSE ${all} END`;
}
