import { type Static, Type } from "typebox";
import { folded } from "../../../../core/folded.ts";
import { malformed } from "../../../../core/refusal.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { near } from "../../../../domain/values/nearest.ts";
import { listViews } from "../../../../domain/views/list-views.ts";
import type { Call } from "../../protocol/registry.ts";
import { unlisted } from "../../protocol/shown-schema.ts";
import { type AssistantFilter, ShortFilter, toFilter, withView } from "../shared/filter.ts";
import { isNamed, isOwner, ownerNamed, ownersOf } from "../shared/owners.ts";
import { withRelated } from "../shared/related-condition.ts";
import { Timezone } from "../shared/words.ts";

const Search = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Words in name, e-mail, phone, company.",
});

const View = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "A saved view, by name or id: also meets its conditions.",
});

/** The arguments that select leads, besides the filter. */
export const Meant = { view: Type.Optional(View), search: Type.Optional(Search), timezone: Timezone };

/** The arguments that select leads, for tools that list the filter's fields and operators only briefly. */
export const Selection = {
  filter: Type.Optional(ShortFilter),
  view: Type.Optional(unlisted(View)),
  search: Type.Optional(unlisted(Search)),
  timezone: Timezone,
};

interface Given {
  filter?: Static<typeof AssistantFilter>;
  view?: string;
  search?: string;
  timezone?: string;
}

/** Returns an assistant's selection with owners by their ids, looked up if any is named otherwise. */
export async function selectionOf(call: Call, asked: Given): Promise<ReturnType<typeof toSelection>> {
  const { filter, view } = asked;
  const given = view === undefined ? asked : { ...asked, view: await viewNamed(call, view) };
  const asks = filter?.any.some(({ all }) => all.some(({ field }) => isOwner(field)));
  if (filter === undefined || asks !== true) return toSelection(given);
  const isOpen = filter.any.some(({ all }) =>
    all.some(({ field, value }) => isOwner(field) && [value].flat().some(isNamed)),
  );
  const owners = isOpen ? await ownersOf(call) : [];
  const any = filter.any.map(({ all }, i) => ({
    all: all.map((condition, j) => {
      if (!isOwner(condition.field)) return condition;
      const path = `$.filter.any[${i}].all[${j}].value`;
      const one = (value: unknown) => (isNamed(value) ? ownerNamed(owners, value, path) : value);
      const value = Array.isArray(condition.value) ? condition.value.map(one) : one(condition.value);
      return { ...condition, field: "owner_id", ...(condition.value === undefined ? {} : { value }) };
    }),
  }));
  return toSelection({ ...given, filter: { any } });
}

/** The most views whose names are looked up. */
const MOST_VIEWS = 500;

/** Returns the id of the saved view that a text names; refused with the names of those there are. */
async function viewNamed({ service, caller }: Call, text: string): Promise<string> {
  if (text.startsWith("view_")) return text;
  const { json } = await perform(service, listViews, caller, { limit: MOST_VIEWS });
  const views = JSON.parse(json) as { id: string; name: string }[];
  const [only, ...others] = views.filter(({ name }) => folded(name) === folded(text));
  if (only !== undefined && others.length === 0) return only.id;
  const names = views.map(({ name }) => name);
  const alike = near(text, names);
  const listed = (alike.length > 0 ? alike : names)
    .slice(0, 10)
    .map((name) => JSON.stringify(name))
    .join(", ");
  const message =
    only === undefined
      ? `is not a saved view of this project${listed === "" ? "" : `; ${alike.length > 0 ? "the nearest are" : "its views are"} ${listed}`}`
      : `is the name of ${others.length + 1} views; use the id of one of them`;
  throw malformed([{ path: "$.view", code: "unknown_view", message }]);
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
