import * as timeline from "../../../../contract/timeline/current.ts";
import { readTimeline } from "../../../../domain/timeline/read-timeline.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { pathOf, queryOf } from "../../shared/input.ts";
import { offsetPageJson } from "../../shared/page-json.ts";
import { bothSpellings } from "../../shared/with-slash.ts";

/** `GET /api/leads/{id}/timeline/`, with or without the trailing slash. */
export const timelineRoutes = bothSpellings(timeline.readTimeline, (endpoint) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, endpoint), id: pathOf(request, "id") }),
    operation: readTimeline,
    reply: (page) => ok(offsetPageJson("events", page)),
  }),
);
