import { leadName } from "../../words/lead-name.ts";
import { type Fields, fieldsIn, isFields, listIn, textIn, withoutId } from "../host/answer.ts";

/** Arguments that say which record an item is, not what to set. */
const NAMING = new Set(["id", "lead", "version", "_id", "_version"]);

/** A field with its new value. Answers about done changes do not have the former ones. */
export interface Set {
  field: string;
  to: unknown;
}

/** What a call asked for, item by item: a lead, an event or a row. */
export interface Item {
  name: string | undefined;
  set: readonly Set[];
  event?: { type: string; text: string | undefined };
}

/** Returns the items of a call's arguments, in order; none if it named none. */
export function itemsIn(input: Fields): Item[] {
  const events = listIn(input, "events");
  if (events.length > 0) return events.map((event) => eventItem(isFields(event) ? event : {}));
  const leads = listIn(input, "leads");
  return (leads.length > 0 ? leads : listIn(input, "rows")).map((item) =>
    isFields(item) ? recordItem(item) : { name: named(String(item)), set: [] },
  );
}

/** Returns what a call sets on all of its leads. */
export function setIn(input: Fields): Set[] {
  const tags = listIn(input, "tags");
  const set = Object.entries(fieldsIn(input, "set")).map(([field, to]) => ({ field, to }));
  return tags.length > 0 ? [...set, { field: "tags", to: tags }] : set;
}

function recordItem(item: Fields): Item {
  const set = Object.entries(item).flatMap(([field, value]) => {
    if (NAMING.has(field)) return [];
    if (field !== "custom" || !isFields(value)) return [{ field, to: value }];
    return Object.entries(value).map(([key, to]) => ({ field: `custom.${key}`, to }));
  });
  const first = set.find(({ to }) => typeof to === "string" && to !== "")?.to;
  const name = leadName(item) || named(textIn(item, "id")) || (item.id === undefined ? first : undefined);
  return { name: typeof name === "string" ? name : undefined, set };
}

const eventItem = (event: Fields): Item => ({
  name: named(textIn(event, "lead")),
  set: [],
  event: { type: textIn(event, "type") ?? "", text: textIn(event, "text") ?? textIn(event, "title") },
});

/** An id of the service says nothing to a person. */
const named = (text = ""): string | undefined => withoutId(text) || undefined;
