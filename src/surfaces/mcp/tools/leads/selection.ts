import { type Static, Type } from "typebox";
import { type AssistantFilter, ShortFilter, toFilter, withView } from "../shared/filter.ts";
import { withRelated } from "../shared/related-condition.ts";
import { Timezone } from "../shared/words.ts";

const Search = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Words that must all occur in name, e-mail, phone or company.",
  }),
);

const View = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: "A saved view's id, view_…, as listed by get_context: its conditions must match too.",
  }),
);

/** The arguments that select leads, besides the filter. */
export const Meant = { view: View, search: Search, timezone: Timezone };

/** The arguments that select leads, for tools other than query_leads. */
export const Selection = { filter: Type.Optional(ShortFilter), ...Meant };

interface Given {
  filter?: Static<typeof AssistantFilter>;
  view?: string;
  search?: string;
  timezone?: string;
}

/** Returns an assistant's selection as input of operations. */
export function toSelection({ filter, view, search, timezone }: Given): {
  filter?: object;
  search?: string;
  timezone?: string;
} {
  const groups = filter && withRelated(filter);
  const both = view !== undefined ? withView(groups, view) : groups && toFilter(groups);
  return {
    ...(both === undefined ? {} : { filter: both }),
    ...(search === undefined ? {} : { search }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}
