import { type Static, Type } from "typebox";
import { OUTGOING_EVENTS } from "../../core/outgoing.ts";
import { closed } from "../basics/basics.ts";
import { constantOf } from "../basics/constants.ts";
import { endpoint, json } from "../basics/endpoint.ts";
import { GroupFieldName, ScalarFieldName } from "../filters/field-names.ts";
import { METRICS } from "../lists/figures.ts";
import { INTERVALS } from "../lists/time.ts";
import { LeadFigures, ResponseTimes } from "./figures.ts";
import { tag } from "./lead.ts";
import { LeadsQuery } from "./query.ts";

const Interval = constantOf(INTERVALS, {
  $id: "Interval",
  description: "The length of a date bucket; weeks start on Monday.",
});

const Grouping = Type.Object(
  {
    field: GroupFieldName,
    interval: Type.Optional(Interval),
    alike: Type.Optional(
      Type.Boolean({
        description: "Groups text values that differ only in case or accents, and shows one of them.",
      }),
    ),
  },
  {
    ...closed,
    $id: "Grouping",
    description: "What leads are grouped by; interval is for dates.",
    examples: [{ field: "created_at", interval: "month" }],
  },
);

const { filter, search, timezone } = LeadsQuery.properties;

const Metric = Type.Object(
  {
    op: constantOf(METRICS),
    field: Type.Optional(ScalarFieldName),
    filter,
    as: Type.Optional(
      Type.String({
        pattern: "^[a-z][a-z0-9_]{0,59}$",
        description: "The name of the metric. Required with a filter; default: op and field.",
      }),
    ),
  },
  {
    ...closed,
    $id: "Metric",
    description:
      "A figure of each group. field is required for every op except count, which counts leads without it. With a " +
      "filter, only the leads of the group that also match it count; all filters together have at most 100 conditions. sum and " +
      "avg take numbers, min and max also dates. Figures of value are of one currency (by_currency).",
    examples: [
      { op: "sum", field: "value" },
      { op: "count", filter: { field: "status", op: "eq", value: "won" }, as: "won" },
    ],
  },
);

const GroupSort = Type.Object(
  {
    field: Type.String({
      maxLength: 220,
      description: "A field of group_by, or the name of a metric: count, sum_value, count_distinct_owner_id.",
    }),
    dir: Type.Optional(constantOf(["asc", "desc"])),
  },
  {
    ...closed,
    $id: "GroupSort",
    description: "What to sort groups by.",
    examples: [{ field: "sum_value", dir: "desc" }],
  },
);

const groups = {
  group_by: Type.Optional(
    Type.Array(Grouping, { maxItems: 2, description: "Default: one group of all leads." }),
  ),
  interval: Type.Optional(Interval),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: "Default: 100." })),
};

/** The figures to compute of a project's leads. */
export const LeadAggregation = Type.Object(
  {
    ...{ filter, search, timezone },
    group_by: groups.group_by,
    metrics: Type.Optional(Type.Array(Metric, { minItems: 1, maxItems: 10, description: "Default: count." })),
    interval: groups.interval,
    sort: Type.Optional(
      Type.Array(GroupSort, {
        maxItems: 3,
        description: "Default: by date for date buckets, otherwise the largest first metric first.",
      }),
    ),
    limit: groups.limit,
  },
  {
    ...closed,
    $id: "LeadAggregation",
    description: "Which figures to compute, of which leads.",
    examples: [
      { group_by: [{ field: "status" }], metrics: [{ op: "count" }, { op: "sum", field: "value" }] },
    ],
  },
);
export type LeadAggregation = Static<typeof LeadAggregation>;

/** The leads whose response times to compute, and the events that count as a response. */
export const ResponseTimesQuery = Type.Object(
  {
    ...{ filter, search, timezone },
    ...groups,
    types: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        description: `Which events are responses; defaults to ${OUTGOING_EVENTS.join(", ")}. email.* means all types that start with email.`,
      }),
    ),
    within: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 3_155_760_000 }), {
        maxItems: 10,
        description: "In seconds: how many leads were answered within each of them.",
      }),
    ),
  },
  {
    ...closed,
    $id: "ResponseTimesQuery",
    description: "The leads whose response times to compute, and the events that count as a response.",
    examples: [{ group_by: [{ field: "source", alike: true }], within: [300, 3_600] }],
  },
);
export type ResponseTimesQuery = Static<typeof ResponseTimesQuery>;

const usual = { tag, refusals: "v1" } as const;

export const aggregateLeads = endpoint({
  ...usual,
  id: "leads.aggregate",
  method: "POST",
  url: "/api/v1/leads/aggregate",
  summary: "Aggregate leads",
  description:
    "Metrics by group. A group is a stored value, an entry of a list such as tags, or a bucket of " +
    "dates by its first day in the time zone; leads without a value are the group null. A metric is named by its " +
    "op and field: count, sum_value, count_distinct_owner_id. Amounts of value in different currencies are never added " +
    "up or compared: by_currency has those of each group, and sort orders by the amounts in the project's currency first, " +
    "then by those in another; groups of several others come last. A lead without a currency has the project's. 422 if a sum is too large for a number.",
  needs: "leads:read",
  body: LeadAggregation,
  examples: {
    status: { group_by: [{ field: "status" }], metrics: [{ op: "count" }, { op: "sum", field: "value" }] },
    conversion: {
      group_by: [{ field: "source", alike: true }],
      metrics: [
        { op: "count" },
        { op: "count", filter: { field: "status", op: "eq", value: "won" }, as: "won" },
      ],
    },
    month: { group_by: [{ field: "created_at", interval: "month" }], timezone: "America/Sao_Paulo" },
  },
  answers: { 200: json(LeadFigures, "The groups with their figures.", ["X-Leadgate-Warning"]) },
  refused: [422],
});

export const responseTimes = endpoint({
  ...usual,
  id: "leads.responseTimes",
  method: "POST",
  url: "/api/v1/leads/response-times",
  summary: "Response times of leads",
  description:
    "How long leads waited for their first response, by group: from their creation to the first event of the types " +
    "at or after it. Leads without a response count in leads, but not in answered.",
  needs: "leads:read",
  body: ResponseTimesQuery,
  examples: {
    source: {
      group_by: [{ field: "source", alike: true }],
      within: [300, 3_600],
      filter: { field: "created_at", op: "in_last", value: { n: 30, unit: "day" } },
    },
  },
  answers: { 200: json(ResponseTimes, "The groups with their response times.", ["X-Leadgate-Warning"]) },
});
