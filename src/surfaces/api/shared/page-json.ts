import type { CursorPage, OffsetPage } from "../../../domain/operation/page.ts";

/** `{"<plural>": […], "page_info": {…}}` as text; the records pass through as the database wrote them. */
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

/** `{"<plural>": […], "next_cursor": …}` as text, with the total where one was asked for. */
export function cursorPageJson(plural: string, page: CursorPage): string {
  const { json, nextCursor, total, totalRelation } = page;
  const counted = total === undefined ? "" : `,"total":${total},"total_relation":"${totalRelation}"`;
  return `{"${plural}":${json},"next_cursor":${JSON.stringify(nextCursor)}${counted}}`;
}
