import type { LeadPage } from "../domain/leads/query-leads.ts";

/** `{"leads": […], "page_info": {…}}` as text; the leads pass through as the database wrote them. */
export function leadPageJson({
  json,
  limit,
  offset,
  count,
  hasMore,
  total,
  totalRelation,
}: LeadPage): string {
  const pageInfo = {
    limit,
    offset,
    count,
    has_more: hasMore,
    next_offset: hasMore ? offset + count : null,
    total,
    total_relation: totalRelation,
  };
  return `{"leads":${json},"page_info":${JSON.stringify(pageInfo)}}`;
}
