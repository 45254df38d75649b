import { type CursorBinding, writeCursor } from "./cursor.ts";
import type { Service } from "./service/service.ts";

/** The highest number that a bounded total reports. */
export const BOUND = 10_000;

/** The sort values of a page's last row in PostgreSQL's spelling; the last value is the id. */
export type Position = readonly (string | null)[];

/** A page by offset; `json` is the text of an array, made by PostgreSQL and passed through. */
export interface OffsetPage {
  json: string;
  limit: number;
  offset: number;
  count: number;
  hasMore: boolean;
  total: number | null;
  totalRelation: "eq" | "gte" | null;
}

/** A page with a cursor; `json` as above. */
export interface CursorPage {
  json: string;
  nextCursor: string | null;
  /** Undefined if no total was requested. */
  total?: number;
  totalRelation?: "eq" | "gte";
  /** Nothing has the words of the search; these leads have words that differ in a letter. */
  similar?: true;
}

/** A page of records built in code, of which a caller may show only the first. */
export interface CursorList<Item> {
  items: Item[];
  /** Whether more items follow the last one. */
  hasMore: boolean;
  /** The cursor of the page that starts after this item. */
  cursorAfter(index: number): string;
}

/** The cursor after the first `shown` items; null if no more follow. */
export const nextCursorOf = (list: CursorList<unknown>, shown = list.items.length): string | null =>
  list.hasMore || shown < list.items.length ? list.cursorAfter(shown - 1) : null;

/** How far to count a total. */
export type TotalAsked = "exact" | "bounded" | "none";

/** The row of pageSql; `found` is one more than the limit if more rows follow. */
export interface OffsetRow {
  json: string | null;
  found: number;
  total: number | null;
}

/** The same, perhaps with a mark; `json` is null if the mark equals the known one. */
export interface PageRow extends OffsetRow {
  mark?: string | null;
}

/** The row of searchPageSql. */
export interface CursorRow extends OffsetRow {
  last: string | null;
  now: string;
}

/** Where a page ended, and the "now" of the first page, so that relative dates mean the same on every page. */
export interface Mark {
  now: string;
  last: Position;
}

/**
 * Returns the records as an array, without the last one if it is one too many. In the JSON of a record no comma is right
 * before a line break: PostgreSQL escapes those of texts, and puts a blank between where it writes lists.
 */
const arrayOf = (json: string | null, cut: boolean): string =>
  `[${json === null ? "" : cut ? json.slice(0, json.lastIndexOf(",\n")) : json}]`;

/** Builds a page from its row; an empty page without a row. */
export function offsetPage(
  row: OffsetRow | undefined,
  asked: { limit: number; offset: number; total: TotalAsked | undefined },
): OffsetPage {
  const { limit, offset } = asked;
  const { json, found, total } = row ?? { json: null, found: 0, total: null };
  const counted = total === null ? { total, totalRelation: null } : countedTotal(total, asked.total);
  return {
    json: arrayOf(json, found > limit),
    limit,
    offset,
    count: Math.min(found, limit),
    hasMore: found > limit,
    ...counted,
  };
}

/** Builds a page from its row, with the cursor of the next page if there is one. */
export function cursorPage(
  service: Service,
  binding: CursorBinding,
  row: CursorRow | undefined,
  asked: { limit: number; total: TotalAsked },
): CursorPage {
  if (row === undefined) throw new Error("the database answered no page");
  const { json, found, last, now, total } = row;
  const mark: Mark | undefined =
    found > asked.limit && last !== null ? { now, last: JSON.parse(last) as Position } : undefined;
  return {
    json: arrayOf(json, found > asked.limit),
    nextCursor: mark === undefined ? null : writeCursor(service, binding, mark),
    ...(total === null ? {} : countedTotal(total, asked.total)),
  };
}

/** Unless an exact total was requested, reports at most the bound. */
function countedTotal(
  total: number,
  asked: TotalAsked | undefined,
): { total: number; totalRelation: "eq" | "gte" } {
  if (asked === "exact" || total <= BOUND) return { total, totalRelation: "eq" };
  return { total: BOUND, totalRelation: "gte" };
}
