import { type TSchema, Type } from "typebox";

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);
const moment = Type.String({ format: "date-time", description: "ISO 8601 with the offset +00:00." });

const shape = {
  id: Type.String(),
  type: Type.String({ description: "noun.verb, such as email.opened." }),
  occurred_at: moment,
  recorded_at: moment,
  source: orNull(Type.String()),
  actor: Type.Object({}, { additionalProperties: true, description: "Who: {type, id, label}." }),
  title: Type.String(),
  data: Type.Object({}, { additionalProperties: true, description: "For a change: field, from, to." }),
  external_id: orNull(Type.String()),
  merged_from: orNull(
    Type.String({ description: "The lead that had the event before it was merged into this one." }),
  ),
};

/** An event on its lead's timeline. */
export const TimelineEvent = Type.Object(shape);

/** An event among those of other leads. */
export const Event = Type.Object({ lead_id: Type.String(), ...shape });
