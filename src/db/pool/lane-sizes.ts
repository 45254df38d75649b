import type { LanesOptions } from "../../core/lanes-options.ts";

export const LANES = ["keyed", "query", "slow", "long", "export"] as const;

/**
 * The classes of work that share the connections:
 * - `keyed`: a few rows by key, such as credentials, tokens, sessions or one lead; has reserved connections.
 * - `query`: a read that is expected to be fast.
 * - `slow`: a read that was not; one at a time for each project.
 * - `long`: writes and transactions, which may wait for locks.
 * - `export`: a file that is streamed to its reader.
 */
export type Lane = (typeof LANES)[number];

/** The most requests of a project that wait in one lane. */
const WAITING = 200;

export interface LaneSizes {
  /** The most connections that are open at once. */
  connections: number;
  /** How many of them are in use without a lane, as for LISTEN; none by default. */
  apart?: number;
  /** Whether lanes share the connections fairly; otherwise the first who asks gets one, for background work. */
  fair: boolean;
  /** How long work waits for a connection, in milliseconds. */
  waitMs: number;
  /** How many connections of the export lane one project may use; 2 by default. */
  exportsPerOwner?: number;
}

/** Divides the connections. Long work leaves some to fast reads, and all of them leave some to keyed work. */
export function lanesOf(options: LaneSizes): LanesOptions<Lane> {
  const { connections, apart = 0, fair, waitMs, exportsPerOwner = 2 } = options;
  const share = (part: number) => Math.max(1, Math.round(connections * part));
  const all = Math.max(1, connections - apart);
  const patience = { patienceMs: waitMs, pressedMs: waitMs / 3, waiting: WAITING };
  const together = { lanes: ["keyed", "query", "long", "slow", "export"] as const, slots: all };
  if (!fair) {
    const any = { slots: all };
    return {
      lanes: { keyed: any, query: any, long: any, slow: any, export: any },
      shared: [together],
      ...patience,
      waiting: Number.POSITIVE_INFINITY,
    };
  }
  const shared = Math.max(1, all - share(0.2));
  const unhurried = Math.max(1, shared - share(0.2));
  // One more than a project may use, so that none has all of them, and not all that long work may use.
  const exports = Math.max(1, Math.min(Math.max(share(0.3), exportsPerOwner + 1), unhurried - 1));
  return {
    lanes: {
      keyed: { slots: all },
      query: { slots: shared },
      long: { slots: unhurried, perOwner: Math.max(1, Math.min(share(0.5), unhurried - 1)) },
      slow: { slots: share(0.15), perOwner: 1 },
      export: { slots: exports, perOwner: Math.max(1, Math.min(exportsPerOwner, exports - 1)) },
    },
    shared: [
      together,
      { lanes: ["query", "long", "slow", "export"], slots: shared },
      { lanes: ["long", "slow", "export"], slots: unhurried },
    ],
    ...patience,
  };
}
