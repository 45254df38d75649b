import { Type } from "typebox";

/** Selects events by type. */
export const types = Type.Optional(
  Type.Array(Type.String({ maxLength: 200, examples: ["email.opened", "call.*"] }), {
    minItems: 1,
    maxItems: 100,
    description: "Types such as email.opened, or email.* for all types that start with email.",
  }),
);

const moment = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ format: "date-time" }), Type.String({ format: "date" })], { description }),
  );

/** Which of a lead's events to return, and in which order. */
export const timelineQuery = {
  types,
  from: moment("Inclusive: a timestamp with its offset, or a date in the project's time zone."),
  to: moment("Exclusive, so that the next period can start with it."),
  order: Type.Optional(Type.Enum(["asc", "desc"], { description: "Default: desc." })),
};

/** Filters by source, actor and field; the events of one field's changes are its history. */
export const eventOrigin = {
  source: Type.Optional(Type.String({ maxLength: 100, description: "Where they came from, such as panel." })),
  actor: Type.Optional(
    Type.String({ maxLength: 100, description: "The id of the key or person who did it." }),
  ),
  field: Type.Optional(
    Type.String({ maxLength: 100, description: "Changes of this field, such as status or custom.plan." }),
  ),
};
