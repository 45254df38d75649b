const LONGEST = 50;

/**
 * Returns the key for a name: `Ticket médio` becomes `ticket_medio`; empty if no character of it is allowed
 * in a key.
 */
export const plainKey = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, LONGEST);

/** Returns the key, with a number appended if it is taken. */
export function freeKey(key: string, isTaken: (key: string) => boolean): string {
  let free = key;
  for (let n = 2; isTaken(free); n += 1) free = `${key}_${n}`;
  return free;
}

/** Returns a key for a new custom field; `taken` are names of fields, such as `custom.plan`. */
export const fieldKeyFrom = (name: string, taken: ReadonlySet<string>): string =>
  freeKey(plainKey(name) || "field", (key) => taken.has(`custom.${key}`));
