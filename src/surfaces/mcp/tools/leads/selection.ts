import { type Static, Type } from "typebox";
import type { Call } from "../../protocol/registry.ts";
import { unlisted } from "../../protocol/shown-schema.ts";
import { type AssistantFilter, ShortFilter, toFilter, withView } from "../shared/filter.ts";
import { isNamed, isOwner, ownerNamed, ownersOf } from "../shared/owners.ts";
import { withRelated } from "../shared/related-condition.ts";
import { Timezone } from "../shared/words.ts";
import { isViewId, viewNamed } from "./saved-view.ts";

const Search = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Words in name, e-mail, phone, company.",
});

const View = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "A saved view's name or id: its conditions, too; its order and columns by default.",
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
  const isName = view !== undefined && !isViewId(view);
  const given = isName ? { ...asked, view: (await viewNamed(call, view)).id } : asked;
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
