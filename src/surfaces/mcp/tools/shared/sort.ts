import { Type } from "typebox";
import { isOwner } from "./owners.ts";

/** Returns what to sort by, such as `-value` for the largest first. */
export function orderOf(text: string): { field: string; dir: "asc" | "desc" } {
  const name = text.replace(/^[-+]/, "");
  return { field: isOwner(name) ? "owner_id" : name, dir: text.startsWith("-") ? "desc" : "asc" };
}

/** Returns fields as the service names them. */
export const storedFields = (fields: readonly string[]): string[] =>
  fields.map((field) => (isOwner(field) ? "owner_id" : field));

/** Fields in order, for tools that sort. */
export const SortFields = Type.Optional(
  Type.Array(Type.String({ maxLength: 101 }), {
    maxItems: 3,
    description: "Such as -value: largest first.",
  }),
);
