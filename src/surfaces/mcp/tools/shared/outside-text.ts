/**
 * Control characters except line feed and tab, bidirectional controls, and invisible tags and marks: with
 * them, a model reads something else than a person sees.
 */
const HIDDEN = /[[\p{Cc}--[\n\t]]\p{Bidi_Control}\u{FEFF}\u{200B}\u{E0000}-\u{E007F}]/gv;

/** Most strings consist of these alone. */
const PLAIN = /^[\n\t -~]*$/;

const shown = (text: string): string => (PLAIN.test(text) ? text : text.replace(HIDDEN, ""));

const OWN = { enumerable: true, writable: true, configurable: true };

/**
 * Returns an external value with hidden characters removed from its strings and null members removed from its
 * objects.
 */
export function outside(value: unknown): unknown {
  if (typeof value === "string") return shown(value);
  if (Array.isArray(value)) return value.map(outside);
  if (typeof value !== "object" || value === null) return value;
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === null) continue;
    const name = shown(key);
    // Assigning `__proto__` would change the object's prototype.
    if (name === "__proto__") Object.defineProperty(members, name, { ...OWN, value: outside(member) });
    else members[name] = outside(member);
  }
  return members;
}
