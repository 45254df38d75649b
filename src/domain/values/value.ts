/** Text as PostgreSQL can hold it: a NUL and half a character become U+FFFD. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();

/** Why a text cannot be stored as it is; undefined where it can. */
export function unstorable(text: string): { code: string; message: string } | undefined {
  if (text.includes("\0")) return { code: "nul", message: "must not contain the character NUL" };
  if (!text.isWellFormed()) return { code: "lone_surrogate", message: "must be well-formed Unicode" };
  return undefined;
}

/** What a cell becomes: times are ISO 8601 with offset, dates `YYYY-MM-DD`, lists arrays of texts. */
export type Value = string | number | boolean | string[];

/** The values that one row gives: field (`email`, `custom.plan`) to value. Blank cells are absent. */
export type Patch = Map<string, Value | null>;

export const CUSTOM = "custom.";

export const isCustom = (field: string): boolean => field.startsWith(CUSTOM);

export const customKey = (field: string): string => field.slice(CUSTOM.length);

export function sameValue(a: Value | null, b: Value | null): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => item === b[i]);
  return a === b;
}
