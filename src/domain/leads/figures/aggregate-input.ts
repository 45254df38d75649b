import { type Static, Type } from "typebox";
import { LeadsQuery } from "../../filter/query-input.ts";

const Interval = Type.Union(
  [
    Type.Literal("day"),
    Type.Literal("week"),
    Type.Literal("month"),
    Type.Literal("quarter"),
    Type.Literal("year"),
  ],
  { description: "The length of a date bucket; weeks start on Monday." },
);

/** What leads are grouped by. */
const Group = Type.Object(
  {
    field: Type.String({ maxLength: 200 }),
    interval: Type.Optional(Interval),
    alike: Type.Optional(
      Type.Boolean({
        description: "Groups text values that differ only in case or accents, and shows one of them.",
      }),
    ),
  },
  { additionalProperties: false },
);

const Metric = Type.Object(
  {
    op: Type.Union([
      Type.Literal("count"),
      Type.Literal("sum"),
      Type.Literal("avg"),
      Type.Literal("min"),
      Type.Literal("max"),
      Type.Literal("count_distinct"),
    ]),
    field: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "Required for every op except count, which counts leads without it.",
      }),
    ),
  },
  { additionalProperties: false },
);

const Order = Type.Object(
  {
    field: Type.String({
      maxLength: 220,
      description: "A field of group_by, or the name of a metric: count, sum_value, count_distinct_owner_id.",
    }),
    dir: Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc")])),
  },
  { additionalProperties: false },
);

const { filter, search, timezone } = LeadsQuery.properties;

/** The figures to compute of a project's leads. */
export const LeadsAggregate = Type.Object(
  {
    filter,
    search,
    timezone,
    group_by: Type.Optional(
      Type.Array(Group, { maxItems: 2, description: "Default: one group of all leads." }),
    ),
    metrics: Type.Optional(Type.Array(Metric, { minItems: 1, maxItems: 10, description: "Default: count." })),
    interval: Type.Optional(Interval),
    sort: Type.Optional(
      Type.Array(Order, {
        maxItems: 3,
        description: "Default: by date for date buckets, otherwise the largest first metric first.",
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: "Default: 100." })),
  },
  { additionalProperties: false },
);

export type LeadsAggregate = Static<typeof LeadsAggregate>;
