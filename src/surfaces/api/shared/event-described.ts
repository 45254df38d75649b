import { Type } from "typebox";
import { orNull, stringOrNull, timestamp } from "./described.ts";

const shape = {
  id: Type.String(),
  type: Type.String({ description: "noun.verb, such as email.opened." }),
  occurred_at: timestamp,
  recorded_at: timestamp,
  source: stringOrNull,
  actor: Type.Object({}, { additionalProperties: true, description: "Who: {type, id, label}." }),
  title: Type.String(),
  data: Type.Object({}, { additionalProperties: true, description: "For a change: field, from, to." }),
  external_id: stringOrNull,
  merged_from: orNull(
    Type.String({ description: "The lead that had the event before it was merged into this one." }),
  ),
};

/** An event on its lead's timeline. */
export const TimelineEvent = Type.Object(shape);

/** An event in a list that covers several leads. */
export const Event = Type.Object({ lead_id: Type.String(), ...shape });

/** The query parameter that selects events by type. */
export const EventTypes = Type.Optional(
  Type.String({ description: "Separated by commas: email.opened,call.*" }),
);

/** The query parameters of a page of events. */
export const EventPaging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  cursor: Type.Optional(Type.String()),
};
