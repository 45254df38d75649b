import type { CursorPage, OffsetPage } from "../../../domain/operation/page.ts";

/** Returns `{"<plural>": […], "page_info": {…}}`; the records stay as the database serialized them. */
export function offsetPageJson(plural: string, page: OffsetPage): string {
  const { json, limit, offset, count, hasMore, total, totalRelation } = page;
  const pageInfo = {
    limit,
    offset,
    count,
    has_more: hasMore,
    next_offset: hasMore ? offset + count : null,
    total,
    total_relation: totalRelation,
  };
  return `{"${plural}":${json},"page_info":${JSON.stringify(pageInfo)}}`;
}

/** Returns `{"<plural>": […], "next_cursor": …}`, with the total if it was requested, and `similar` if true. */
export function cursorPageJson(plural: string, page: CursorPage): string {
  const { json, nextCursor, total, totalRelation, similar } = page;
  const counted = total === undefined ? "" : `,"total":${total},"total_relation":"${totalRelation}"`;
  return `{"${plural}":${json},"next_cursor":${JSON.stringify(nextCursor)}${counted}${similar ? ',"similar":true' : ""}}`;
}
