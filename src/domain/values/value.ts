/** Text as PostgreSQL can store it: NUL and lone surrogates become U+FFFD. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();

/** Returns why a text cannot be stored unchanged; undefined if it can. */
export function unstorable(text: string): { code: string; message: string } | undefined {
  if (text.includes("\0")) return { code: "nul", message: "must not contain the character NUL" };
  if (!text.isWellFormed()) return { code: "lone_surrogate", message: "must be well-formed Unicode" };
  return undefined;
}

/** The value of a cell: timestamps are ISO 8601 with offset, dates `YYYY-MM-DD`, lists arrays of strings. */
export type Value = string | number | boolean | string[];

/** The values of one row by field (`email`, `custom.plan`). Blank cells are absent. */
export type Patch = Map<string, Value | null>;

export const CUSTOM = "custom.";

export const isCustom = (field: string): boolean => field.startsWith(CUSTOM);

export const customKey = (field: string): string => field.slice(CUSTOM.length);
