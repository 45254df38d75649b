import { Type } from "typebox";

/** An event as callers write it. */
export const EventInput = Type.Object(
  {
    type: Type.String({
      maxLength: 81,
      description: "noun.verb, such as email.opened; lead.* is the service's own.",
    }),
    occurred_at: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          "ISO 8601 with an offset, or a day, whose midnight it is in the project's zone; now where left out.",
      }),
    ),
    title: Type.Optional(
      Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
        description: "Made from type and data where left out.",
      }),
    ),
    data: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: "At most 16 KB and 8 levels." }),
    ),
    source: Type.Optional(
      Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
        description: "The system it comes from; api where left out.",
      }),
    ),
    external_id: Type.Optional(
      Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
        description:
          "Its key in that system: the same source and key again is the same event of a lead, never a second one.",
      }),
    ),
  },
  { additionalProperties: false },
);

const LeadRef = Type.Union(
  [
    Type.Object({ external_id: Type.String({ maxLength: 500 }) }, { additionalProperties: false }),
    Type.Object({ email: Type.String({ maxLength: 254 }) }, { additionalProperties: false }),
  ],
  { description: "The lead by what it is known by, where lead_id is left out." },
);

/** An event of a batch, with its lead. */
export const BatchEventInput = Type.Object(
  { lead_id: Type.Optional(Type.String()), lead: Type.Optional(LeadRef), ...EventInput.properties },
  { additionalProperties: false },
);
