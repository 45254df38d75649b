/**
 * Control characters but line feed and tab, marks that turn the reading direction, and tags and marks nobody sees:
 * with them a text shows a person something else than it tells a model.
 */
const HIDDEN = /[[\p{Cc}--[\n\t]]\p{Bidi_Control}\u{FEFF}\u{200B}\u{E0000}-\u{E007F}]/gv;

/** Most texts are of these alone. */
const PLAIN = /^[\n\t -~]*$/;

const shown = (text: string): string => (PLAIN.test(text) ? text : text.replace(HIDDEN, ""));

const OWN = { enumerable: true, writable: true, configurable: true };

/** A value that came from outside, its texts without hidden characters, its objects without members that are null. */
export function outside(value: unknown): unknown {
  if (typeof value === "string") return shown(value);
  if (Array.isArray(value)) return value.map(outside);
  if (typeof value !== "object" || value === null) return value;
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === null) continue;
    const name = shown(key);
    // assigning this one would change what the object is
    if (name === "__proto__") Object.defineProperty(members, name, { ...OWN, value: outside(member) });
    else members[name] = outside(member);
  }
  return members;
}
