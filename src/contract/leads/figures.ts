import { type Static, Type } from "typebox";
import { orNull, Relation } from "../basics/basics.ts";

export const CountedLeads = Type.Object(
  { count: Type.Integer(), relation: Relation },
  {
    $id: "CountedLeads",
    description: "How many leads match.",
    examples: [{ count: 10_000, relation: "gte" }],
  },
);
export type CountedLeads = Static<typeof CountedLeads>;

const key = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
  {
    $id: "GroupKey",
    description:
      "What the leads of a group share, by field: a stored value, an entry of a list, the first day of a date bucket, or " +
      "null for leads without a value. Empty without group_by.",
    examples: [{ status: "new", created_at: "2026-03-01" }],
  },
);

const total_groups = Type.Integer({ description: "The total number of groups." });

export const LeadFigures = Type.Object(
  {
    groups: Type.Array(
      Type.Object(
        {
          key,
          metrics: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Null()]), {
            description:
              "Figures by name: count, sum_value, count_distinct_owner_id. min and max of dates are timestamps; null if " +
              "no lead has a value. A figure of value is null too if the leads of the group have several currencies, " +
              "which are never added up or compared: by_currency has it for each.",
          }),
          by_currency: Type.Optional(
            Type.Record(Type.String(), Type.Record(Type.String(), Type.Number()), {
              description:
                "The figures of value in each currency, by their names; only if one was requested. A lead without a " +
                'currency has the project\'s; "" stands for leads of a project without one.',
            }),
          ),
        },
        { $id: "LeadGroup", description: "The figures of one group." },
      ),
    ),
    total_groups,
  },
  {
    $id: "LeadFigures",
    description: "Figures of leads by group.",
    examples: [
      {
        groups: [
          {
            key: { status: "new" },
            metrics: { count: 80, sum_value: 96_000 },
            by_currency: { sum_value: { BRL: 96_000 } },
          },
          {
            key: { status: "won" },
            metrics: { count: 12, sum_value: null },
            by_currency: { sum_value: { BRL: 9_000, USD: 1_200 } },
          },
        ],
        total_groups: 2,
      },
    ],
  },
);
export type LeadFigures = Static<typeof LeadFigures>;

const Seconds = orNull(Type.Number());

export const ResponseTimes = Type.Object(
  {
    groups: Type.Array(
      Type.Object(
        {
          key,
          leads: Type.Integer(),
          answered: Type.Integer({ description: "Leads with a response." }),
          median_seconds: Seconds,
          p90_seconds: Seconds,
          within: Type.Array(Type.Object({ seconds: Type.Integer(), leads: Type.Integer() }), {
            description: "How many leads were answered within each of the requested times.",
          }),
        },
        {
          $id: "ResponseTimesGroup",
          description: "The response times of one group; null without a response.",
        },
      ),
    ),
    total_groups,
  },
  {
    $id: "ResponseTimes",
    description: "How long leads waited for their first response, by group.",
    examples: [
      {
        groups: [
          {
            ...{ key: { source: "website" }, leads: 120, answered: 96 },
            ...{ median_seconds: 214.5, p90_seconds: 3_100 },
            within: [{ seconds: 300, leads: 60 }],
          },
        ],
        total_groups: 1,
      },
    ],
  },
);
export type ResponseTimes = Static<typeof ResponseTimes>;
