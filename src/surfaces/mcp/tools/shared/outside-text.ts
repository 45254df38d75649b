import { shownText } from "../../protocol/shown-text.ts";

const OWN = { enumerable: true, writable: true, configurable: true };

/**
 * Returns an external value with hidden characters removed from its strings and null members removed from its
 * objects.
 */
export function outside(value: unknown): unknown {
  if (typeof value === "string") return shownText(value);
  if (Array.isArray(value)) return value.map(outside);
  if (typeof value !== "object" || value === null) return value;
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === null) continue;
    const name = shownText(key);
    // Assigning `__proto__` would change the object's prototype.
    if (name === "__proto__") Object.defineProperty(members, name, { ...OWN, value: outside(member) });
    else members[name] = outside(member);
  }
  return members;
}
