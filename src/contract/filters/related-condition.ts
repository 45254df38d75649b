import { type Static, Type } from "typebox";
import { closed } from "../basics/basics.ts";
import { oneOf } from "../basics/constants.ts";
import { PICKS } from "../lists/operators.ts";
import { CountTest, DateTest } from "./condition.ts";
import { EventFilter } from "./event-filter.ts";
import { RowFilter } from "./row-filter.ts";

const EventType = Type.String({
  maxLength: 200,
  pattern: "^[^\\s*]+(\\.\\*)?$",
  description: "A type of events, or email.* for all types that start with email.",
  examples: ["email.opened", "email.*"],
});

export const ViewCondition = Type.Object(
  { view: Type.String({ description: "The id of a saved view." }) },
  {
    ...closed,
    $id: "ViewCondition",
    description: "Leads that a saved view finds by its filter and search.",
    examples: [{ view: "view_01k3z8q0m4e7r9t2y5u8i1o3p6" }],
  },
);

export const EventCondition = Type.Object(
  {
    event: Type.Object(
      {
        type: Type.Optional(
          Type.Union([EventType, Type.Array(EventType, { minItems: 1, maxItems: 100 })], {
            description:
              "By default, events of any type. became.won, became.lost or became.open, alone, is a change of the status to one that " +
              "means so from one that did not (meanings of /api/v1/statuses).",
          }),
        ),
        where: Type.Optional(EventFilter),
        occurred: Type.Optional(DateTest),
        count: Type.Optional(CountTest),
        pick: Type.Optional(
          oneOf(PICKS, {
            description:
              "first and last consider only the earliest or latest event of the type. Default: any.",
          }),
        ),
      },
      closed,
    ),
  },
  {
    ...closed,
    $id: "EventCondition",
    description: "Leads by the events of their timeline.",
    examples: [
      {
        event: {
          type: "email.opened",
          occurred: { op: "in_last", value: { n: 30, unit: "day" } },
          count: { op: "gte", value: 3 },
        },
      },
      {
        event: { type: "became.won", occurred: { op: "in_period", value: "this_month" } },
      },
      {
        event: { type: "form.sent", pick: "last", where: { field: "data.page", op: "eq", value: "/offer" } },
      },
    ],
  },
);

export const DatasetCondition = Type.Object(
  {
    dataset: Type.Object(
      {
        key: Type.String({ description: "The key of a dataset that has a lead_link." }),
        where: Type.Optional(RowFilter),
        count: Type.Optional(CountTest),
      },
      closed,
    ),
  },
  {
    ...closed,
    $id: "DatasetCondition",
    description: "Leads by the rows of a dataset that are linked to them.",
    examples: [{ dataset: { key: "companies", where: { field: "employees", op: "gte", value: 50 } } }],
  },
);

/** A condition on something other than the lead's own fields. */
export type RelatedCondition =
  | Static<typeof ViewCondition>
  | Static<typeof EventCondition>
  | Static<typeof DatasetCondition>;
