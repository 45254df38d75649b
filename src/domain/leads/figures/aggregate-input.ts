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
  { description: "How long a bucket of dates is; weeks begin on Monday." },
);

/** What leads are grouped by. */
const Group = Type.Object(
  {
    field: Type.String({ maxLength: 200 }),
    interval: Type.Optional(Interval),
    alike: Type.Optional(
      Type.Boolean({
        description:
          "Texts that filters hold for equal, without regard to case and accents, are one group, shown as one of them.",
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
        description: "Every op needs one but count, which counts leads without.",
      }),
    ),
  },
  { additionalProperties: false },
);

const Order = Type.Object(
  {
    field: Type.String({
      maxLength: 220,
      description: "A field of group_by, or a metric by its name: count, sum_value, count_distinct_owner_id.",
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
      Type.Array(Group, { maxItems: 2, description: "One group of all where left out." }),
    ),
    metrics: Type.Optional(
      Type.Array(Metric, { minItems: 1, maxItems: 10, description: "count where left out." }),
    ),
    interval: Type.Optional(Interval),
    sort: Type.Optional(
      Type.Array(Order, {
        maxItems: 3,
        description: "Where left out: by date for buckets of dates, else the largest first metric first.",
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: "100 where left out." })),
  },
  { additionalProperties: false },
);

export type LeadsAggregate = Static<typeof LeadsAggregate>;
