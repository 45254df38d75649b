import { FIELD_BY_NAME } from "../fields/lead-field.ts";

/** Operators that the index of words finds in the fields that are part of it. */
const WORDS: ReadonlySet<unknown> = new Set(["eq", "contains", "starts_with", "ends_with"]);

/** Fields whose conditions have indexes of their own, by these operators or by all (`true`). */
const FOUND: Readonly<Record<string, true | ReadonlySet<unknown>>> = {
  id: true,
  external_id: true,
  created_at: true,
  score: true,
  status: true,
  tags: true,
  emails: true,
  phones: true,
  phone_e164: true,
  phone: new Set([...WORDS, "in"]),
  email: new Set([...WORDS, "in"]),
  name: WORDS,
  company: WORDS,
  source: new Set(["eq", "in"]),
};

/**
 * Whether a selection may use an index of a field (docs/decisions/0028), so that the project has to be asked which it has.
 * `names` are the fields that it is sorted by. The filter has passed measureFilter; views and datasets in it are not
 * looked into.
 */
export const asksForIndexes = (filter: unknown, names: readonly string[]): boolean =>
  names.some((name) => isSlow(name) && name !== "created_at") || asksIn(filter);

function asksIn(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  if ("not" in node) return asksIn(node.not);
  for (const word of ["and", "or"] as const) {
    const list = (node as Record<string, unknown>)[word];
    if (Array.isArray(list)) return list.some(asksIn);
  }
  const { field, op } = node as { field?: unknown; op?: unknown };
  if (typeof field !== "string" || !isSlow(field)) return false;
  const found = FOUND[field];
  return found === undefined || (found !== true && !found.has(op));
}

/** Whether it is the name of a standard field that can have an index; custom ones ask for the project anyway. */
function isSlow(name: string): boolean {
  const type = FIELD_BY_NAME.get(name)?.type;
  return type !== undefined && type !== "object";
}
