import { Type } from "typebox";
import { LeadsAggregate } from "../../../../domain/leads/figures/aggregate-input.ts";
import { aggregateLeads } from "../../../../domain/leads/figures/aggregate-leads.ts";
import { ResponseTimes, responseTimes } from "../../../../domain/leads/figures/response-times.ts";
import { countLeads, LeadsCount } from "../../../../domain/leads/read/count-leads.ts";
import { LeadsSearch, searchLeads } from "../../../../domain/leads/read/search-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { Lead, refusals } from "../../shared/described.ts";
import { bodyOf } from "../../shared/input.ts";
import { cursorPageJson } from "../../shared/page-json.ts";

const Relation = Type.Union([Type.Literal("eq"), Type.Literal("gte")]);

const search = operationRoute({
  method: "POST",
  url: "/api/v1/leads/search",
  describe: {
    summary: "Search leads",
    description:
      "One page of the project's leads, newest first unless sort is given. Repeat the call with next_cursor " +
      "until it is null; a cursor is valid only for its filter, search, sort and timezone. Relative dates " +
      "are relative to the time of the first page.",
    tags: ["leads"],
    bearer: true,
    body: LeadsSearch,
    answers: {
      200: Type.Object({
        leads: Type.Array(Lead),
        next_cursor: Type.Union([Type.String(), Type.Null()]),
        total: Type.Optional(Type.Integer()),
        total_relation: Type.Optional(Relation),
      }),
      ...refusals(413, 415),
    },
  },
  caller: apiKey,
  input: bodyOf,
  operation: searchLeads,
  reply: (page) => ok(cursorPageJson("leads", page)),
});

const count = operationRoute({
  method: "POST",
  url: "/api/v1/leads/count",
  describe: {
    summary: "Count leads",
    description: "How many leads match: exact up to 10,000, beyond that a lower bound unless exact is true.",
    tags: ["leads"],
    bearer: true,
    body: LeadsCount,
    answers: { 200: Type.Object({ count: Type.Integer(), relation: Relation }), ...refusals(413, 415) },
  },
  caller: apiKey,
  input: bodyOf,
  operation: countLeads,
});

const aggregate = operationRoute({
  method: "POST",
  url: "/api/v1/leads/aggregate",
  describe: {
    summary: "Aggregate leads",
    description:
      "Metrics by group. A group is a stored value, an entry of a list such as tags, or a bucket of " +
      "dates by its first day in the time zone; leads without a value are the group null. A metric is named by its " +
      "op and field: count, sum_value, count_distinct_owner_id.",
    tags: ["leads"],
    bearer: true,
    body: LeadsAggregate,
    answers: {
      200: Type.Object({
        groups: Type.Array(
          Type.Object({
            key: Type.Object({}, { additionalProperties: true }),
            metrics: Type.Object({}, { additionalProperties: true }),
          }),
        ),
        total_groups: Type.Integer({ description: "The total number of groups." }),
      }),
      ...refusals(413, 415),
    },
  },
  caller: apiKey,
  input: bodyOf,
  operation: aggregateLeads,
  reply: ({ json, totalGroups }) => ok(`{"groups":${json},"total_groups":${totalGroups}}`),
});

const Seconds = Type.Union([Type.Number(), Type.Null()]);

const responses = operationRoute({
  method: "POST",
  url: "/api/v1/leads/response-times",
  describe: {
    summary: "Response times of leads",
    description:
      "How long leads waited for their first response, by group: from their creation to the first event of the types " +
      "at or after it. Leads without a response count in leads, but not in answered.",
    tags: ["leads"],
    bearer: true,
    body: ResponseTimes,
    answers: {
      200: Type.Object({
        groups: Type.Array(
          Type.Object({
            key: Type.Object({}, { additionalProperties: true }),
            leads: Type.Integer(),
            answered: Type.Integer(),
            median_seconds: Seconds,
            p90_seconds: Seconds,
            within: Type.Array(Type.Object({ seconds: Type.Integer(), leads: Type.Integer() })),
          }),
        ),
        total_groups: Type.Integer({ description: "The total number of groups." }),
      }),
      ...refusals(413, 415),
    },
  },
  caller: apiKey,
  input: bodyOf,
  operation: responseTimes,
  reply: ({ json, totalGroups }) => ok(`{"groups":${json},"total_groups":${totalGroups}}`),
});

/** Leads, and figures of them. */
export const searchRoutes: readonly Route[] = [search, count, aggregate, responses];
