/**
 * Control characters but line feed and tab, marks that turn the reading direction, and tags and marks nobody sees:
 * with them a text shows a person something else than it tells a model.
 */
const HIDDEN = /[[\p{Cc}--[\n\t]]\p{Bidi_Control}\u{FEFF}\u{200B}\u{E0000}-\u{E007F}]/gv;

/** A value that came from outside, its texts without hidden characters, its objects without members that are null. */
export function outside(value: unknown): unknown {
  if (typeof value === "string") return value.replace(HIDDEN, "");
  if (Array.isArray(value)) return value.map(outside);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key.replace(HIDDEN, ""), outside(member)]));
}
