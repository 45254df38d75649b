import { type Static, Type } from "typebox";
import { exactly, oneOf } from "./words.ts";

const OPERATORS = [
  ..."eq neq in not_in contains not_contains starts_with ends_with domain_in is_empty is_not_empty".split(
    " ",
  ),
  ..."gt gte lt lte between has_any has_all has_none".split(" "),
  ..."before after on_or_before on_or_after in_last not_in_last in_next older_than in_period".split(" "),
] as const;

const Condition = exactly({
  field: Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      "A field of a lead, such as status, email, score, tags or created_at; custom.<key> for a custom field.",
  }),
  op: oneOf(
    OPERATORS,
    "Text: eq to is_not_empty, without regard to case and accents (domain_in: e-mail only). Numbers: eq, neq, gt to " +
      "between. Tags: has_any, has_all, has_none. Dates: eq, between, before to in_period.",
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
