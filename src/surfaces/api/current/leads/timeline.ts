import { Type } from "typebox";
import { readTimeline } from "../../../../domain/timeline/read-timeline.ts";
import { TimelineQuery } from "../../../../domain/timeline/timeline-query.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { LeadPageBody, PROBLEMS, Problem } from "../../shared/described.ts";
import { EventPaging, EventTypes, TimelineEvent } from "../../shared/event-described.ts";
import { pathOf, queryOf } from "../../shared/input.ts";
import { offsetPageJson } from "../../shared/page-json.ts";
import { withSlash } from "../../shared/with-slash.ts";

const Query = Type.Object({
  limit: EventPaging.limit,
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  ...TimelineQuery,
  types: EventTypes,
});

/** `GET /api/leads/{id}/timeline/`, with or without the trailing slash. */
export const timelineRoutes = withSlash("/api/leads/:id/timeline", (url) =>
  operationRoute({
    method: "GET",
    url,
    describe: {
      summary: "Read a lead's timeline",
      description:
        "What happened to a lead, newest first unless order is asc. from is inclusive, to is exclusive, so that periods " +
        "can follow each other without a gap.",
      tags: ["leads"],
      bearer: true,
      params: Type.Object({ id: Type.String() }),
      query: Query,
      answers: {
        200: Type.Object({
          events: Type.Array(TimelineEvent),
          page_info: LeadPageBody.properties.page_info,
        }),
        400: Problem,
        404: Problem,
        ...PROBLEMS,
      },
    },
    caller: apiKey,
    input(request, caller) {
      const query = queryOf(request, caller, {
        limit: "integer",
        offset: "integer",
        types: "list",
        from: "moment",
        to: "moment",
        order: "text",
      });
      return { ...query, id: pathOf(request, "id") };
    },
    operation: readTimeline,
    reply: (page) => ok(offsetPageJson("events", page)),
  }),
);
