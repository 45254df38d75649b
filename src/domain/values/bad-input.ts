import { malformed } from "../../core/refusal.ts";

/** Refuses an input at a JSON path (`$.filter.and[1].value`). */
export function bad(path: string, code: string, message: string): never {
  throw malformed([{ path, code, message }]);
}

/** Quotes a user's text for an error message: escaped and cut at 60 characters. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/**
 * Returns a string that PostgreSQL can store: without NUL, well-formed, at most `most` characters. Refuses others.
 */
export function cleanText(value: unknown, path: string, most = 1_000): string {
  if (typeof value !== "string") bad(path, "type", "must be a string");
  if (value.includes("\0")) bad(path, "nul", "must not contain the character NUL");
  if (!value.isWellFormed()) bad(path, "lone_surrogate", "must be well-formed Unicode");
  if (value.length > most) bad(path, "too_long", `must have at most ${most} characters`);
  return value;
}
