/** Text as PostgreSQL can hold it: a NUL and half a character become U+FFFD. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();

/** Why a text cannot be stored as it is; undefined where it can. */
export function unstorable(text: string): { code: string; message: string } | undefined {
  if (text.includes("\0")) return { code: "nul", message: "contains a NUL character" };
  if (!text.isWellFormed()) return { code: "lone_surrogate", message: "is not well-formed Unicode" };
  return undefined;
}
