import { type Static, Type } from "typebox";
import { oneOf } from "../basics/constants.ts";
import {
  dateCondition,
  emptyCondition,
  numberCondition,
  textCondition,
  untypedCondition,
} from "./condition.ts";
import { groupsOf } from "./groups.ts";

const TEXT = ["type", "source", "title", "actor.type", "actor.label"] as const;
const DATE = ["occurred_at", "recorded_at"] as const;
const NUMBER = ["seconds_after_created"] as const;

const DataKey = Type.Unsafe<`data.${string}`>(
  Type.String({
    $id: "EventDataKey",
    pattern: "^data\\..+$",
    maxLength: 200,
    description: "A key of an event's data, data.{key}.",
    examples: ["data.link"],
  }),
);

const EventTextCondition = textCondition(oneOf(TEXT), {
  $id: "EventTextCondition",
  description: "A condition on a text of the event, ignoring case and accents.",
  examples: [{ field: "source", op: "eq", value: "website" }],
});

const EventDateCondition = dateCondition(oneOf(DATE), {
  $id: "EventDateCondition",
  description: "A condition on a time of the event.",
  examples: [{ field: "recorded_at", op: "in_last", value: { n: 7, unit: "day" } }],
});

const EventNumberCondition = numberCondition(oneOf(NUMBER), {
  $id: "EventNumberCondition",
  description:
    "A condition on the seconds from the creation of the lead to the event; negative for earlier events.",
  examples: [{ field: "seconds_after_created", op: "lte", value: 300 }],
});

const EventDataCondition = untypedCondition(DataKey, {
  $id: "EventDataCondition",
  description:
    "A condition on a value of the event's data, which is typed by the operator and value: gt 3 compares numbers, " +
    "eq 2026-01-31 compares dates.",
  examples: [{ field: "data.page", op: "eq", value: "/offer" }],
});

const EventEmptyCondition = emptyCondition(oneOf([...TEXT, ...DATE, ...NUMBER]), {
  $id: "EventEmptyCondition",
  description: "Whether a field of the event has a value.",
  examples: [{ field: "title", op: "is_not_empty" }],
});

const EventFieldCondition = Type.Union(
  [
    ...([EventTextCondition, EventDateCondition, EventNumberCondition] as const),
    ...([EventDataCondition, EventEmptyCondition] as const),
  ],
  { $id: "EventFieldCondition", description: "A condition on a field of an event." },
);

export type EventFilter =
  | { and: EventFilter[] }
  | { or: EventFilter[] }
  | { not: EventFilter }
  | Static<typeof EventFieldCondition>;

/** A filter over events. */
export const EventFilter = Type.Unsafe<EventFilter>(
  Type.Cyclic(
    {
      EventFilter: Type.Union([...groupsOf("EventFilter"), EventFieldCondition], {
        description: "Which events of a lead: a group of filters, or a condition on a field of the event.",
      }),
    },
    "EventFilter",
  ),
);
