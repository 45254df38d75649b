import { Type } from "typebox";
import type { Fault } from "../../core/refusal.ts";
import { sizeOf } from "../values/size-of.ts";

const LARGEST = 16_384;
const DEEPEST = 8;

export type EventData = Readonly<Record<string, unknown>>;

/**
 * Returns why PostgreSQL cannot store an event's data, or undefined. Does not recurse, so deep nesting is harmless.
 */
export function dataFault(data: object, path: string): Fault | undefined {
  const fault = (code: string, message: string): Fault => ({ path, code, message });
  if (sizeOf(data, LARGEST) > LARGEST) return fault("too_large", "must not be larger than 16 KB");
  const waiting: { value: unknown; depth: number }[] = [{ value: data, depth: 1 }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { value, depth } = part;
    if (typeof value === "number" && !Number.isFinite(value))
      return fault("not_a_number", "contains a number that is too large");
    if (typeof value === "string" && !isClean(value)) return fault("bad_text", UNCLEAN);
    if (typeof value !== "object" || value === null) continue;
    if (depth > DEEPEST) return fault("too_deep", `must not be nested deeper than ${DEEPEST} levels`);
    for (const [key, inside] of Object.entries(value)) {
      if (!isClean(key)) return fault("bad_text", UNCLEAN);
      waiting.push({ value: inside, depth: depth + 1 });
    }
  }
  return undefined;
}

const UNCLEAN = "contains a string with the character NUL, or one that is not well-formed Unicode";

const isClean = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** The input of an event. */
export const EventInput = Type.Object(
  {
    type: Type.String({
      maxLength: 81,
      description: "noun.verb, such as email.opened; lead.* is reserved for the service.",
    }),
    occurred_at: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          "ISO 8601 with an offset, or a date, which means midnight in the project's time zone; defaults to now.",
      }),
    ),
    title: Type.Optional(
      Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
        description: "Defaults to a title made from type and data.",
      }),
    ),
    data: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: "At most 16 KB and 8 levels." }),
    ),
    source: Type.Optional(
      Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
        description: "The system it comes from; defaults to api.",
      }),
    ),
    external_id: Type.Optional(
      Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
        description:
          "Its key in that system: an event with the same source and key is recorded once per lead.",
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
  { description: "The lead by its external id or e-mail, if lead_id is omitted." },
);

/** The input of an event of a batch, with its lead. */
export const BatchEventInput = Type.Object(
  { lead_id: Type.Optional(Type.String()), lead: Type.Optional(LeadRef), ...EventInput.properties },
  { additionalProperties: false },
);
