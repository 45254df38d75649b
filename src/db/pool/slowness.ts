import { hash } from "node:crypto";

/** How long a statement counts as slow after it was, in milliseconds; then it is tried again. */
const REMEMBERED_MS = 60_000;
/** How long other statements of the same owner count as slow, so that varying a slow one does not help. */
const SUSPECTED_MS = 10_000;
const MOST_OWNERS = 1_000;
const MOST_STATEMENTS = 500;

interface Owner {
  /** Until when statements that are not known count as slow. */
  suspectedUntil: number;
  /** Whether a statement was slow, and when, by a hash of its text. */
  statements: Map<string, { slow: boolean; at: number }>;
}

/** Remembers which statements of which owners were slow. */
export class Slowness {
  readonly #owners = new Map<string, Owner>();

  /** Whether a statement is expected to be slow. `text` is its SQL, without values. */
  isSlow(ownerName: string, text: string): boolean {
    const owner = this.#owners.get(ownerName);
    if (owner === undefined) return false;
    const now = performance.now();
    const known = owner.statements.get(keyOf(text));
    if (known === undefined) return now < owner.suspectedUntil;
    return known.slow && now - known.at < REMEMBERED_MS;
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
