import pg from "pg";
import { Lanes } from "../../core/lanes.ts";
import { databaseAway } from "../../core/refusal.ts";
import { unlessRead, within } from "../../core/within.ts";
import type { LockWait } from "../../observe/log/account.ts";
import { report } from "../../observe/metrics/report.ts";
import type { TypeNames } from "../statements/in-steps.ts";
import { KEEP_ALIVE, startOptions } from "../statements/session-settings.ts";
import { Blame } from "./blame.ts";
import { AbandonedError, hangUp, socketOf } from "./client.ts";
import { Granted, isTooMany } from "./granted.ts";
import { LANES, type Lane, type LaneSizes, lanesOf } from "./lane-sizes.ts";
import type { Recorded } from "./recorded.ts";
import { LostError, Watch } from "./watch.ts";

export type { Lane } from "./lane-sizes.ts";

/** Which lane work uses, and the project that it counts for. */
export interface Work {
  lane: Lane;
  owner: string;
  /** Whether a part of a write may have been done already, so that its caller must not simply repeat it. */
  begun?: boolean;
  /** The statement, for the trace and the logs; it learns when it has its connection. */
  record?: Recorded | undefined;
}

export interface ConnectionOptions extends LaneSizes {
  /** The time limit of a statement, in milliseconds, unless its transaction sets another one. */
  statementTimeoutMs: number;
  /** Whether a pooler stands between us and PostgreSQL, which gives each transaction another connection. */
  pooled?: boolean | undefined;
  /** Whether the database is the coordinator of a Citus cluster over whose nodes projects are distributed. */
  distributed?: boolean | undefined;
  /** Receives the errors of lost connections. */
  onLostConnection?: ((error: Error) => void) | undefined;
  /** Receives the most connections that are open from now on, after the server gave fewer than wanted. */
  onGranted?: ((connections: number) => void) | undefined;
}

/** How much longer than PostgreSQL's own time limit an answer may take. */
const GRACE_MS = 1_000;
const CONNECT_MS = 5_000;
const CLOSE_MS = 1_000;
/** How long a connection may take to open before something may be wrong with the database. */
const LATE_MS = 1_000;

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
  readonly #granted: Granted;
  readonly #blame = new Blame();
  #isAway = false;
  /** Called when the database may be away: a connection was lost, refused or late, or an answer is late. */
  onTrouble: () => void = () => undefined;

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
    this.#granted = new Granted(this.pool, (granted) => {
      this.#lanes.resize(lanesOf({ ...options, connections: granted }));
      options.onGranted?.(granted);
    });
    this.#watch = new Watch(this.pool, {
      examiner: options.pooled ? undefined : config,
      distributed: options.distributed === true,
      onLost: () => this.#replaceIdle(),
      onLate: () => this.onTrouble(),
      onLocked: (client, holders) => this.#blame.locked(client, holders),
    });
    // A connection that dies in use fails its query and emits an error; unhandled, that error would end the process.
    const onError = (error: Error) => {
      if (error instanceof AbandonedError) return;
      report.lostConnection();
      options.onLostConnection?.(error);
      this.onTrouble();
    };
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

  /** What waits for locks; not known behind a pooler. */
  get lockWaits(): LockWait[] {
    return this.#watch.lockWaits;
  }

  /** Whether the database is away: then work is refused at once, also what waits for a connection. */
  get isAway(): boolean {
    return this.#isAway;
  }

  setAway(isAway: boolean): void {
    this.#isAway = isAway;
    if (isAway) this.#lanes.rejectAll(databaseAway());
  }

  /** Whether an owner may be blamed that its own work is in the way: not while the database is away, nor for locks of others. */
  mayBlame(owner?: string): boolean {
    return !this.#isAway && this.#blame.falls(owner);
  }

  /**
   * Takes a connection. Refuses with 503 at once if the database is away; if none is free in time, with 429 or 503 (see Blame).
   */
  async take(work: Work): Promise<Taken> {
    const { lane, owner, record } = work;
    const since = performance.now();
    if (this.#isAway) throw this.#blame.refusal(databaseAway(), work);
    this.#granted.tryMore();
    const leave = await this.#lanes.enter(lane, owner).catch((error: unknown) => {
      throw this.#blame.refusal(error, work);
    });
    let client: pg.PoolClient;
    try {
      client = await this.connect();
    } catch (error) {
      leave();
      throw error;
    }
    report.waited(lane, (performance.now() - since) / 1_000);
    record?.taken(client);
    this.#blame.took(client, owner);
    let taken = true;
    return {
      client,
      release: (broken) => {
        if (!taken) return;
        taken = false;
        this.#blame.released(client);
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

  /** Returns a connection without a lane. If the server gives no more than those that are open, waits for one of them. */
  async connect(): Promise<pg.PoolClient> {
    const since = performance.now();
    const late = this.pool.idleCount > 0 ? undefined : setTimeout(() => this.onTrouble(), LATE_MS);
    try {
      for (;;) {
        const client = await this.pool.connect().catch((error: unknown) => {
          if (this.#granted.hasRefused(error) && performance.now() - since < CONNECT_MS) return undefined;
          this.onTrouble();
          throw error;
        });
        // The pool may return a connection that was closed just now.
        if (client !== undefined && !socketOf(client).destroyed) return client;
        client?.release(true);
      }
    } finally {
      clearTimeout(late);
    }
  }

  /** Whether a new connection outside of the pool is answered within this time, also with a refusal because there are too many. */
  async isReached(limitMs: number): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: limitMs,
      application_name: "leadgate",
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      client.end().catch(() => undefined);
      return true;
    } catch (error) {
      return isTooMany(error);
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
