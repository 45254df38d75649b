const LONGEST = 50;

/** The key that a name would have: `Ticket médio` is `ticket_medio`; empty where nothing of it can stand in a key. */
export const plainKey = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, LONGEST);

/** The key, with the first number that makes it free. */
export function freeKey(key: string, isTaken: (key: string) => boolean): string {
  let free = key;
  for (let n = 2; isTaken(free); n += 1) free = `${key}_${n}`;
  return free;
}

/** A key for a field that leads do not have yet; `taken` are names of fields, such as `custom.plan`. */
export const fieldKeyFrom = (name: string, taken: ReadonlySet<string>): string =>
  freeKey(plainKey(name) || "field", (key) => taken.has(`custom.${key}`));
