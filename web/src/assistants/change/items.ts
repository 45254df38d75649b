import { leadName } from "../../records/lead-name.ts";
import { type Fields, fieldsIn, isFields, listIn, textIn } from "../host/answer.ts";

/** Arguments that say which record an item is, not what to set. */
const NAMING = new Set(["id", "lead", "version", "_id", "_version"]);

/** What a call asked for, item by item: leads, events or rows; undefined if it named none. */
export interface Item {
  name: string | undefined;
  /** Fields with the values that the call set. */
  set: readonly (readonly [string, unknown])[];
}

/** Returns the items of a call's arguments, in order. */
export function itemsIn(input: Fields): Item[] {
  const events = listIn(input, "events");
  if (events.length > 0) return events.map((event) => eventItem(isFields(event) ? event : {}));
  const set = Object.entries(fieldsIn(input, "set"));
  const tags = listIn(input, "tags");
  const same = tags.length > 0 ? [...set, ["tags", tags] as const] : set;
  const leads = listIn(input, "leads");
  return (leads.length > 0 ? leads : listIn(input, "rows")).map((item) =>
    isFields(item) ? recordItem(item) : { name: String(item), set: same },
  );
}

function recordItem(item: Fields): Item {
  const set = Object.entries(item).flatMap(([field, value]) => {
    if (NAMING.has(field)) return [];
    if (field !== "custom" || !isFields(value)) return [[field, value] as const];
    return Object.entries(value).map(([key, one]) => [`custom.${key}`, one] as const);
  });
  const first = Object.values(item).find((value) => typeof value === "string" && value !== "");
  return { name: leadName(item) || textIn(item, "id") || (first as string | undefined), set };
}

const eventItem = (event: Fields): Item => ({
  name: textIn(event, "lead"),
  set: Object.entries(event).filter(([field]) => !NAMING.has(field)),
});
