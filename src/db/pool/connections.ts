import pg from "pg";
import { Lanes, type LanesOptions, NoSlotError } from "../../core/lanes.ts";
import { Refusal } from "../../core/refusal.ts";
import { unlessRead, within } from "../../core/within.ts";
import { report } from "../../observe/metrics/report.ts";
import type { TypeNames } from "../statements/in-steps.ts";
import { KEEP_ALIVE, startOptions } from "../statements/session-settings.ts";
import { hangUp, socketOf } from "./client.ts";
import type { Recorded } from "./recorded.ts";
import { LostError, Watch } from "./watch.ts";

const LANES = ["keyed", "query", "slow", "long", "export"] as const;

/**
 * The classes of work that share the connections:
 * - `keyed`: a few rows by key, such as credentials, tokens, sessions or one lead; has reserved connections.
 * - `query`: a read that is expected to be fast.
 * - `slow`: a read that was not; one at a time for each project.
 * - `long`: writes and transactions, which may wait for locks.
 * - `export`: a file that is streamed to its reader.
 */
export type Lane = (typeof LANES)[number];

/** Which lane work uses, and the project that it counts for. */
export interface Work {
  lane: Lane;
  owner: string;
  /** Whether a part of a write may have been done already, so that its caller must not simply repeat it. */
  begun?: boolean;
  /** The statement, for the trace and the logs; it learns when it has its connection. */
  record?: Recorded | undefined;
}

export interface ConnectionOptions {
  /** The most connections that are open at once. */
  connections: number;
  /** How many of them are in use without a lane, as for LISTEN; none by default. */
  apart?: number;
  /** Whether lanes share the connections fairly; otherwise the first who asks gets one, for background work. */
  fair: boolean;
  /** How long work waits for a connection, in milliseconds. */
  waitMs: number;
  /** The time limit of a statement, in milliseconds, unless its transaction sets another one. */
  statementTimeoutMs: number;
  /** How many connections of the export lane one project may use; 2 by default. */
  exportsPerOwner?: number;
  /** Whether a pooler stands between us and PostgreSQL, which gives each transaction another connection. */
  pooled?: boolean | undefined;
  /** Whether the database is the coordinator of a Citus cluster over whose nodes projects are distributed. */
  distributed?: boolean | undefined;
  /** Receives the errors of lost connections. */
  onLostConnection?: ((error: Error) => void) | undefined;
}

/** How much longer than PostgreSQL's own time limit an answer may take. */
const GRACE_MS = 1_000;
const CONNECT_MS = 5_000;
const CLOSE_MS = 1_000;

/** A connection in use. */
export interface Taken {
  client: pg.PoolClient;
  /** Returns the connection, or closes it if it is broken. Further calls do nothing. */
  release(broken?: Error | boolean): void;
}

/**
 * The connections to the database, in lanes. A connection that does not answer within its time limit is closed, because
 * its network may have died silently, and earlier if that is certain (see Watch). All idle connections are then replaced,
 * since they probably share its fate.
 */
export class Connections {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly options: ConnectionOptions;
  /** Those of this database that were needed so far. */
  readonly typeNames: TypeNames = new Map();
  readonly #lanes: Lanes<Lane>;
  readonly #watch: Watch;
  readonly #idle = new Set<pg.PoolClient>();

  constructor(url: string, options: ConnectionOptions) {
    this.url = url;
    this.options = options;
    this.#lanes = new Lanes(lanesOf(options));
    const config: pg.PoolConfig = {
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      ...KEEP_ALIVE,
      ...(options.pooled
        ? { application_name: "leadgate" }
        : { options: startOptions(options.statementTimeoutMs, options.distributed === true) }),
    };
    this.pool = new pg.Pool({ ...config, max: options.connections });
    this.pool.on("acquire", (client) => this.#idle.delete(client));
    this.pool.on("release", (_error, client) => this.#idle.add(client));
    this.pool.on("remove", (client) => this.#idle.delete(client));
    this.#watch = new Watch(this.pool, {
      examiner: options.pooled ? undefined : config,
      distributed: options.distributed === true,
      onLost: () => this.#replaceIdle(),
    });
    // A connection that dies in use fails its query and emits an error; unhandled, that error would end the process.
    const onError = options.onLostConnection ?? (() => undefined);
    this.pool.on("error", onError);
    this.pool.on("connect", (client) => client.on("error", onError));
  }

  /** The numbers of connections that are in use and idle, and of the requests that wait for one. */
  get state(): { in_use: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    const waiting = this.#lanes.waiting + waitingCount;
    return { in_use: totalCount - idleCount, idle: idleCount, waiting };
  }

  /** How much work of each lane has a connection, and how much waits for one. */
  get lanes(): { lane: Lane; running: number; waiting: number }[] {
    return LANES.map((lane) => {
      const { inside: running, waiting } = this.#lanes.state(lane);
      return { lane, running, waiting };
    });
  }

  /**
   * Takes a connection. Refuses with 503 if none is free in time, or with 429 if the owner has its share already and
   * nothing was done, which 429 promises.
   */
  async take({ lane, owner, begun = false, record }: Work): Promise<Taken> {
    const since = performance.now();
    const leave = await this.#lanes.enter(lane, owner).catch((error: unknown) => {
      if (error instanceof NoSlotError) report.refused(lane, error.own ? "own" : "busy");
      return refuse(error, owner !== "" && !begun);
    });
    let client: pg.PoolClient;
    try {
      client = await this.#connect();
    } catch (error) {
      leave();
      throw error;
    }
    report.waited(lane, (performance.now() - since) / 1_000);
    record?.taken();
    let taken = true;
    return {
      client,
      release(broken) {
        if (!taken) return;
        taken = false;
        client.release(broken);
        // Without a network, the server would never close it.
        if (broken) socketOf(client).destroy();
        leave();
      },
    };
  }

  /**
   * Uses a connection for one answer; see `answered`. With `again`, for reads, asks once more if the connection turns out
   * to have been lost. `limitMs` may be a function, which is called once the work was sent.
   */
  async use<T>(
    work: Work,
    limitMs: number | (() => number),
    ask: (client: pg.PoolClient) => Promise<T>,
    again = false,
  ): Promise<T> {
    try {
      return await this.#use(work, limitMs, ask);
    } catch (error) {
      if (!again || !(error instanceof LostError)) throw error;
      return await this.#use(work, limitMs, ask);
    }
  }

  async #use<T>(
    work: Work,
    limitMs: number | (() => number),
    ask: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const { client, release } = await this.take(work);
    try {
      const answer = ask(client);
      return await this.answered(client, typeof limitMs === "number" ? limitMs : limitMs(), answer);
    } finally {
      release();
    }
  }

  /** Waits for an answer; closes the connection if none comes a second after the time limit of its statement. */
  async answered<T>(client: pg.PoolClient, limitMs: number, answer: Promise<T>): Promise<T> {
    if (limitMs === 0) return await answer;
    const stop = unlessRead(limitMs + GRACE_MS, () => this.#lose(client));
    try {
      return await answer;
    } finally {
      stop();
    }
  }

  /** The pool may return a connection that was closed just now. */
  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.pool.connect();
      if (!socketOf(client).destroyed) return client;
      client.release(true);
    }
  }

  /** Closes the connections; does not wait for those that are still in use, such as on a dead network. */
  async close(): Promise<void> {
    this.#watch.close();
    await within(CLOSE_MS, this.pool.end());
  }

  /** Closes a connection that does not answer, and replaces the idle ones. */
  #lose(client: pg.PoolClient): void {
    this.#watch.forget(client);
    hangUp(client, new LostError("the database did not answer in time"));
    this.#replaceIdle();
  }

  #replaceIdle(): void {
    const error = new LostError("another one was lost");
    for (const client of this.#idle) {
      this.#watch.forget(client);
      hangUp(client, error);
    }
  }
}

function refuse(error: unknown, mayBlame: boolean): never {
  if (!(error instanceof NoSlotError)) throw error;
  // Different waits, so that not all callers return at once.
  const retryAfter = 1 + Math.floor(Math.random() * 3);
  if (error.own && mayBlame) {
    const text =
      "Too many calls of this project are being handled at once. Nothing was done: wait, then repeat the call.";
    throw new Refusal("too_many", "too_many_at_once", text, { retryAfter });
  }
  throw new Refusal("unavailable", "database_busy", "The database is busy. Try again shortly.", {
    retryAfter,
  });
}

/** The most requests of a project that wait in one lane. */
const WAITING = 200;

/** Divides the connections. Long work leaves some to fast reads, and all of them leave some to keyed work. */
function lanesOf(options: ConnectionOptions): LanesOptions<Lane> {
  const { connections, apart = 0, fair, waitMs, exportsPerOwner = 2 } = options;
  const share = (part: number) => Math.max(1, Math.round(connections * part));
  const all = connections - apart;
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
