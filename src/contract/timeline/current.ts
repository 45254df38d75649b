import { Type } from "typebox";
import { IdInPath, paging } from "../basics/basics.ts";
import { CURRENT, endpoint, json } from "../basics/endpoint.ts";
import { Timeline } from "./event.ts";
import { timelineQuery } from "./timeline-query.ts";

export const readTimeline = endpoint({
  id: "current.leads.timeline",
  method: "GET",
  url: "/api/leads/{id}/timeline/",
  tag: CURRENT,
  summary: "Read a lead's timeline",
  description:
    "What happened to a lead, newest first unless order is asc. from is inclusive, to is exclusive, so that periods " +
    "can follow each other without a gap. The total is exact up to 10,000.",
  refusals: "current",
  needs: "leads:read",
  params: IdInPath,
  query: Type.Object({
    limit: paging.limit,
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    ...timelineQuery,
  }),
  answers: { 200: json(Timeline, "A page of the timeline.") },
  refused: [404],
});
