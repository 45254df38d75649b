import { type Static, Type } from "typebox";
import { LEAD_FIELDS } from "../../../domain/leads/lead-field.ts";
import { OPERATORS } from "../../../domain/leads/operator.ts";
import { exactly, oneOf } from "./words.ts";

const fieldsOf = (type: string): string =>
  LEAD_FIELDS.filter((field) => field.type === type)
    .map(({ name }) => name)
    .join(", ");

const typesOf = Object.entries(OPERATORS).filter(([, operators]) => operators.length > 0);

/** Every field with its type, so that a model need not guess names. */
const FIELDS = typesOf.map(([type]) => `${type}: ${fieldsOf(type)}`).join("; ");

const BY_TYPE = typesOf.map(([type, operators]) => `${type}: ${operators.join(" ")}`).join("; ");

const Condition = exactly({
  field: Type.String({
    minLength: 1,
    maxLength: 100,
    description: `${FIELDS}. A custom field is custom.<key>.`,
  }),
  op: oneOf(
    [...new Set(Object.values(OPERATORS).flat())],
    `By the field's type: ${BY_TYPE}. Texts are compared without regard to case and accents.`,
  ),
  value: Type.Optional(
    Type.Unsafe<unknown>({
      description:
        "What to compare with: a text, number or boolean; a list for in, not_in, has_* and domain_in; [from, to] for " +
        'between; {"n": 30, "unit": "day"} for in_last, not_in_last, in_next and older_than; today, this_week, ' +
        "last_month and alike for in_period; nothing for is_empty and is_not_empty.",
    }),
  ),
});

/** The filter as assistants write it: alternatives, each a list of conditions. No recursion: models fail at it. */
export const AssistantFilter = exactly(
  {
    any: Type.Array(exactly({ all: Type.Array(Condition, { minItems: 1, maxItems: 50 }) }), {
      minItems: 1,
      maxItems: 20,
      description: "At least one of these groups holds.",
    }),
  },
  "Which leads: any group whose conditions all hold. Without it, every lead.",
);

/** An assistant's filter in the service's one grammar. */
export function toFilter({ any }: Static<typeof AssistantFilter>): object {
  return { or: any.map(({ all }) => ({ and: all })) };
}

/** A path into the service's filter as a path into the assistant's. */
export function assistantPath(path: string): string {
  return path
    .replace(/^(\$\.filter)\.or(\[\d+\])/, "$1.any$2")
    .replace(/^(\$\.filter\.any\[\d+\])\.and/, "$1.all");
}
