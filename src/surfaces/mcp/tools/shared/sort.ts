import { Type } from "typebox";
import { shownAs } from "../../protocol/shown-schema.ts";
import { isOwner } from "./owners.ts";

/** Returns what to sort by, such as `-value` for the largest first. */
export function orderOf(text: string): { field: string; dir: "asc" | "desc" } {
  const name = text.replace(/^[-+]/, "");
  return { field: isOwner(name) ? "owner_id" : name, dir: text.startsWith("-") ? "desc" : "asc" };
}

/** Returns fields as the service names them. */
export const storedFields = (fields: readonly string[]): string[] =>
  fields.map((field) => (isOwner(field) ? "owner_id" : field));

const Fields = Type.Array(Type.String({ maxLength: 101 }), {
  maxItems: 3,
  description: "Such as -value: largest first.",
});

/** Fields in order, for tools that sort. */
export const SortFields = Type.Optional(Fields);

/** The same, described more briefly in lists. */
export const BriefSort = Type.Optional(
  shownAs(Fields, { type: "array", items: { type: "string" }, description: "Such as -value." }),
);
