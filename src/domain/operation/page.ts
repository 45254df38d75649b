import { type CursorBinding, writeCursor } from "./cursor.ts";
import type { Service } from "./service/service.ts";

/** A bounded total counts no further. */
export const BOUND = 10_000;

/** The sort values of the last lead of a page, as PostgreSQL writes them; the last one is its id. */
export type Position = readonly (string | null)[];

/** A page by offset; `json` is the text of the array, made by PostgreSQL and passed through. */
export interface OffsetPage {
  json: string;
  limit: number;
  offset: number;
  count: number;
  hasMore: boolean;
  total: number | null;
  totalRelation: "eq" | "gte" | null;
}

/** A page behind a cursor; `json` as above. */
export interface CursorPage {
  json: string;
  nextCursor: string | null;
  /** Undefined where no total was asked for. */
  total?: number;
  totalRelation?: "eq" | "gte";
}

/** A page of records of our own making, where a caller may show fewer of them than it got. */
export interface CursorList<Item> {
  items: Item[];
  /** Whether there are more behind the last one. */
  hasMore: boolean;
  /** The cursor of the page that begins behind this item. */
  cursorAfter(index: number): string;
}

/** The cursor behind the first `shown` items; null where there are no more. */
export const nextCursorOf = (list: CursorList<unknown>, shown = list.items.length): string | null =>
  list.hasMore || shown < list.items.length ? list.cursorAfter(shown - 1) : null;

/** How far a total was asked to be counted. */
export type TotalAsked = "exact" | "bounded" | "none";

/** The row of pageSql: one more than the limit was found where there are more. */
export interface OffsetRow {
  json: string | null;
  found: number;
  total: number | null;
}

/** The row of pageSql where a mark was asked for; `json` is null where the mark is the known one. */
export interface MarkedRow extends OffsetRow {
  mark: string | null;
}

/** The row of searchPageSql. */
export interface CursorRow extends OffsetRow {
  last: string | null;
  now: string;
}

/** Where a page ended, and what "now" was on the first one: relative dates mean the same on every page. */
export interface Mark {
  now: string;
  last: Position;
}

/** A page out of its row; an empty one where there is no row. */
export function offsetPage(
  row: OffsetRow | undefined,
  asked: { limit: number; offset: number; total: TotalAsked | undefined },
): OffsetPage {
  const { limit, offset } = asked;
  const { json, found, total } = row ?? { json: null, found: 0, total: null };
  const counted = total === null ? { total, totalRelation: null } : countedTotal(total, asked.total);
  return {
    json: `[${json ?? ""}]`,
    limit,
    offset,
    count: Math.min(found, limit),
    hasMore: found > limit,
    ...counted,
  };
}

/** A page out of its row, with the cursor of the next one where there are more. */
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
    json: `[${json ?? ""}]`,
    nextCursor: mark === undefined ? null : writeCursor(service, binding, mark),
    ...(total === null ? {} : countedTotal(total, asked.total)),
  };
}

/** A total that was not asked to be exact is told up to the bound. */
function countedTotal(
  total: number,
  asked: TotalAsked | undefined,
): { total: number; totalRelation: "eq" | "gte" } {
  if (asked === "exact" || total <= BOUND) return { total, totalRelation: "eq" };
  return { total: BOUND, totalRelation: "gte" };
}
