import { malformed } from "../../core/refusal.ts";

/** Refuses an input at a JSON path (`$.filter.and[1].value`). */
export function bad(path: string, code: string, message: string): never {
  throw malformed([{ path, code, message }]);
}

/** A user's text as an error may repeat it: quoted, escaped and short. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** A text that PostgreSQL can hold as it is: a string without NUL and without half a surrogate pair. */
export function cleanText(value: unknown, path: string, most = 1_000): string {
  if (typeof value !== "string") bad(path, "type", "must be a string");
  if (value.includes("\0")) bad(path, "nul", "must not contain the character NUL");
  if (!value.isWellFormed()) bad(path, "lone_surrogate", "must be well-formed Unicode");
  if (value.length > most) bad(path, "too_long", `must have at most ${most} characters`);
  return value;
}
