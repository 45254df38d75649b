import { syncLeads as endpoint } from "../../../contract/timeline/events.ts";
import { syncLeads } from "../../../domain/timeline/sync-leads.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute } from "../../../http/route/route.ts";
import { bodyOf } from "../shared/input.ts";

/** All leads, page by page, and where the feed continues. */
export const syncRoute = operationRoute({
  endpoint,
  caller: apiKey,
  input: bodyOf,
  operation: syncLeads,
  reply: ({ json, nextCursor, feedCursor }) =>
    ok(
      `{"leads":${json},"next_cursor":${JSON.stringify(nextCursor)},"feed_cursor":${JSON.stringify(feedCursor)}}`,
    ),
});
