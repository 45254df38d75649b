import type pg from "pg";
import { NoSlotError } from "../../core/lanes.ts";
import { Refusal } from "../../core/refusal.ts";
import { report } from "../../observe/metrics/report.ts";
import { processOf } from "./client.ts";
import type { Lane } from "./lane-sizes.ts";

/** How long after its work waited for a lock of somebody else an owner is not blamed for connections that are in use. */
const BLAMELESS_MS = 5_000;

/**
 * Decides between 429 and 503 for work that gets no connection. 429 blames the caller: its own work is in the way. It is not to
 * blame if that work waits for a lock that somebody else holds.
 */
export class Blame {
  /** The owners of the work that has a connection. */
  readonly #owners = new Map<pg.ClientBase, string>();
  /** When work of an owner last waited for a lock of somebody else. */
  readonly #lockedAt = new Map<string, number>();

  took(client: pg.ClientBase, owner: string): void {
    this.#owners.set(client, owner);
  }

  released(client: pg.ClientBase): void {
    this.#owners.delete(client);
  }

  /** A connection waits for a lock that these processes hold. */
  locked(client: pg.ClientBase, holders: readonly number[]): void {
    const owner = this.#owners.get(client);
    if (owner === undefined || holders.length === 0) return;
    const mine = [...this.#owners].filter(([, each]) => each === owner);
    const own = new Set(mine.map(([each]) => processOf(each)));
    if (!holders.every((holder) => own.has(holder))) this.#lockedAt.set(owner, performance.now());
  }

  /** Whether no work of this owner, or without one of anybody, waited lately for a lock of somebody else. */
  falls(owner?: string): boolean {
    const now = performance.now();
    for (const [each, at] of this.#lockedAt) if (now - at > BLAMELESS_MS) this.#lockedAt.delete(each);
    return owner === undefined ? this.#lockedAt.size === 0 : !this.#lockedAt.has(owner);
  }

  /** The refusal of work that got no connection for this reason; other errors unchanged. */
  refusal(
    error: unknown,
    { lane, owner, begun = false }: { lane: Lane; owner: string; begun?: boolean },
  ): unknown {
    if (error instanceof Refusal) report.refused(lane, "away");
    if (!(error instanceof NoSlotError)) return error;
    const isLocked = error.own && !this.falls(owner);
    report.refused(lane, isLocked ? "lock" : error.own ? "own" : "busy");
    // Different waits, so that not all callers return at once.
    const retryAfter = 1 + Math.floor(Math.random() * 3);
    // 429 promises that nothing was done.
    if (error.own && !isLocked && owner !== "" && !begun) {
      const text =
        "Too many calls of this project are being handled at once. Nothing was done: wait, then repeat the call.";
      return new Refusal("too_many", "too_many_at_once", text, { retryAfter });
    }
    return new Refusal("unavailable", "database_busy", "The database is busy. Try again shortly.", {
      retryAfter,
    });
  }
}
