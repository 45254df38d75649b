import { hash } from "node:crypto";

/** How long a statement counts as slow after it was, in milliseconds; then it is tried again. */
const REMEMBERED_MS = 600_000;
/** How long new statements of the same owner are suspected, so that varying a slow one does not help. */
const SUSPECTED_MS = 60_000;
const MOST_OWNERS = 1_000;
const MOST_STATEMENTS = 500;

interface Owner {
  /** Until when statements that are not known are suspected. */
  suspectedUntil: number;
  /** Whether a statement was slow, and when, by a hash of its text. */
  statements: Map<string, { slow: boolean; at: number }>;
}

/** What is expected of a statement; one that is not known is suspected if its owner just sent a slow one. */
export type Expected = "fast" | "suspected" | "slow";

/** Remembers which statements of which owners were slow. */
export class Slowness {
  readonly #owners = new Map<string, Owner>();

  /** What to expect of a statement. `text` is its SQL, without values. */
  expect(ownerName: string, text: string): Expected {
    const owner = this.#owners.get(ownerName);
    if (owner === undefined) return "fast";
    const now = performance.now();
    const known = owner.statements.get(keyOf(text));
    if (known === undefined) return now < owner.suspectedUntil ? "suspected" : "fast";
    return known.slow && now - known.at < REMEMBERED_MS ? "slow" : "fast";
  }

  /** Records whether a statement was slow. */
  note(ownerName: string, text: string, slow: boolean): void {
    const owner = this.#owners.get(ownerName) ?? { suspectedUntil: 0, statements: new Map() };
    // Owners whose statements have all been fast are not kept.
    if (!slow && owner.statements.size === 0) return;
    const at = performance.now();
    if (slow) owner.suspectedUntil = at + SUSPECTED_MS;
    keep(owner.statements, keyOf(text), { slow, at }, MOST_STATEMENTS);
    keep(this.#owners, ownerName, owner, MOST_OWNERS);
  }
}

const keyOf = (text: string): string => hash("sha1", text, "base64");

/** Keeps the entries that were set last. */
function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  for (const oldest of map.keys()) return void map.delete(oldest);
}
