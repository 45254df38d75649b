import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { LockWait } from "../../observe/log/account.ts";
import { hangUp, isAsking, isOutside, processOf, socketOf } from "./client.ts";
import { lockWaitsOf, noteLockWait } from "./lock-waits.ts";

const SCAN_MS = 250;
/** How long a connection may pass no byte of an answer before it is examined; this doubles with each examination. */
const SILENT_MS = 1_000;
const MOST_SILENT_MS = 10_000;
/** How long a connection that is held without a statement, as for LISTEN or a session's lock, passes no byte. */
const QUIET_MS = 5_000;
/** How long an examination may take to connect, and to be answered. */
const EXAMINE_MS = 2_000;
/** How long the server's side of a lost connection is looked for; then the server has noticed. */
const REMEMBERED_MS = 10 * 60_000;

/** Returns those of the processes that are working, or were within the last half second, and whether they wait for a lock. */
const WORKING = `SELECT pid, coalesce(wait_event_type = 'Lock', false) AS locked FROM pg_stat_activity
  WHERE pid = ANY ($1) AND (wait_event IS NULL
  OR wait_event NOT IN ('ClientRead', 'ClientWrite')
  OR coalesce(state_change, 'infinity') > clock_timestamp() - interval '0.5 s')`;

/**
 * The same on a cluster, where a process that waits for its statement on another node looks as if it waited for us, also while it
 * only connects to that node, which can take some seconds.
 */
const WORKING_SOMEWHERE = `${WORKING} UNION SELECT citus_pid_for_gpid(global_pid), false FROM citus_stat_activity
  WHERE is_worker_query AND state = 'active' AND citus_pid_for_gpid(global_pid) = ANY ($1)
  UNION SELECT pid, false FROM pg_stat_activity WHERE pid = ANY ($1) AND state = 'active' AND wait_event = 'ClientRead'
  AND query_start > clock_timestamp() - interval '10 s'`;

/** The name keeps it from a process of somebody else that has the number by now. */
const END = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY ($1)
  AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`;

/** A connection passes nothing any more. */
export class LostError extends Error {
  override readonly name = "LostError";

  constructor(how: string) {
    super(`connection terminated: ${how}`);
  }
}

export const isLost = (error: Error | undefined): boolean => error instanceof LostError;

interface Standing {
  bytes: number;
  asking: boolean;
  /** Since when it passed no byte. */
  since: number;
  /** How long it may be silent before the next examination. */
  patience: number;
}

export interface WatchOptions {
  /** Opens a connection that examines others; undefined where processes cannot be told apart, as behind a pooler. */
  examiner: pg.ClientConfig | undefined;
  /** Whether statements run on the nodes of a cluster. */
  distributed: boolean;
  /** Called when a connection was found to be lost. */
  onLost: () => void;
  /** Called when an answer has been late for a second, and again while it stays so. */
  onLate: () => void;
  /** Called again and again while a connection is known to wait for a lock, with the processes that hold it. */
  onLocked: (client: pg.ClientBase, holders: readonly number[]) => void;
}

/**
 * Finds connections whose network died silently. A connection that passes no byte of an answer is compared with its
 * process on the server, over a new connection: if the server waits for us while we wait for the server, it is lost. It
 * is closed, and its process ended, so that its locks are freed. If it waits for a lock, the examination notes who holds it.
 */
export class Watch {
  readonly #options: WatchOptions;
  readonly #standings = new Map<pg.ClientBase, Standing>();
  /** The processes of lost connections that may still hold locks, and until when they are looked for. */
  readonly #lost = new Map<number, number>();
  readonly #locked = new Map<pg.ClientBase, LockWait>();
  #timer: NodeJS.Timeout | undefined;
  #examining = false;

  constructor(pool: pg.Pool, options: WatchOptions) {
    this.#options = options;
    pool.on("connect", (client) => {
      this.#standings.set(client, { bytes: 0, asking: false, since: 0, patience: 0 });
      client.once("end", () => {
        this.#standings.delete(client);
        this.#locked.delete(client);
      });
      this.#timer ??= setInterval(() => this.#scan(), SCAN_MS).unref();
    });
  }

  /** The waits for locks that were found and go on. */
  get lockWaits(): LockWait[] {
    return [...this.#locked.values()];
  }

  /** Ends the process of a connection that was closed because it does not answer, as soon as the server is reached. */
  forget(client: pg.ClientBase): void {
    if (this.#options.examiner !== undefined)
      this.#lost.set(processOf(client), performance.now() + REMEMBERED_MS);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #scan(): void {
    const now = performance.now();
    const suspects: pg.ClientBase[] = [];
    for (const [client, standing] of this.#standings) {
      if (moved(client, standing)) {
        this.#locked.delete(client);
        Object.assign(standing, { since: now, patience: isAsking(client) ? SILENT_MS : QUIET_MS });
      } else if (
        now - standing.since >=
        Math.max(standing.patience, isSending(client) ? MOST_SILENT_MS : 0)
      ) {
        if (isAsking(client)) suspects.push(client);
        // An empty statement makes it pass a byte. Within a transaction it would extend the limit on idle ones.
        else if (isOutside(client)) client.query("").catch(() => undefined);
      }
    }
    for (const [client, wait] of this.#locked) this.#noteLocked(client, wait);
    if (suspects.length > 0) this.#options.onLate();
    for (const [id, until] of this.#lost) if (now > until) this.#lost.delete(id);
    if (suspects.length === 0 && this.#lost.size === 0) return;
    if (this.#options.examiner === undefined || this.#examining) return;
    this.#examining = true;
    this.#examine(suspects, this.#options.examiner)
      .catch(() => sleep(SILENT_MS, undefined, { ref: false }))
      .finally(() => {
        this.#examining = false;
      });
  }

  async #examine(suspects: readonly pg.ClientBase[], config: pg.ClientConfig): Promise<void> {
    const client = new pg.Client({
      ...config,
      connectionTimeoutMillis: EXAMINE_MS,
      query_timeout: EXAMINE_MS,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      if (suspects.length > 0) {
        const { rows } = await client.query<{ pid: number; locked: boolean }>(
          this.#options.distributed ? WORKING_SOMEWHERE : WORKING,
          [suspects.map(processOf)],
        );
        const working = new Set(rows.map(({ pid }) => pid));
        for (const suspect of suspects) {
          if (working.has(processOf(suspect))) this.#trust(suspect);
          else this.#lose(suspect);
        }
        const locked = new Set(rows.filter((row) => row.locked).map(({ pid }) => pid));
        if (locked.size > 0)
          await this.#findLocks(
            client,
            suspects.filter((each) => locked.has(processOf(each))),
          );
      }
      const lost = [...this.#lost.keys()];
      const living = new Set([...this.#standings.keys()].map(processOf));
      const ended = lost.filter((id) => !living.has(id));
      if (ended.length > 0) await client.query(END, [ended]);
      for (const id of lost) this.#lost.delete(id);
      client.end().catch(() => undefined);
    } catch (error) {
      hangUp(client, error as Error);
      throw error;
    }
  }

  /** Notes who holds the locks that these connections wait for, unless they have passed something meanwhile. */
  async #findLocks(client: pg.ClientBase, locked: readonly pg.ClientBase[]): Promise<void> {
    const waits = await lockWaitsOf(client, locked.map(processOf));
    for (const each of locked) {
      const standing = this.#standings.get(each);
      const wait = waits.get(processOf(each));
      if (wait === undefined || standing === undefined || hasMoved(each, standing)) continue;
      this.#locked.set(each, wait);
      this.#noteLocked(each, wait);
    }
  }

  #noteLocked(client: pg.ClientBase, wait: LockWait): void {
    noteLockWait(client, wait);
    this.#options.onLocked(
      client,
      wait.blocked_by.map(({ pid }) => pid ?? 0),
    );
  }

  /** The next examination is later. */
  #trust(client: pg.ClientBase): void {
    const standing = this.#standings.get(client);
    if (standing === undefined) return;
    const silent = performance.now() - standing.since;
    standing.patience = silent + Math.min(silent, MOST_SILENT_MS);
  }

  /** Closes a connection, unless it has passed something meanwhile. */
  #lose(client: pg.ClientBase): void {
    const standing = this.#standings.get(client);
    if (standing === undefined || moved(client, standing) || !isAsking(client)) return;
    this.#standings.delete(client);
    this.forget(client);
    hangUp(client, new LostError("it passes nothing, and the database waits for it"));
    this.#options.onLost();
  }
}

/** Whether a part of what was sent still waits here, as on a slow network. */
const isSending = (client: pg.ClientBase): boolean => socketOf(client).writableLength > 0;

/** Whether a connection has passed anything, or its reader is what holds it up. */
function hasMoved(client: pg.ClientBase, standing: Standing): boolean {
  const { bytesRead, bytesWritten, readableLength } = socketOf(client);
  return (
    bytesRead + bytesWritten !== standing.bytes || isAsking(client) !== standing.asking || readableLength > 0
  );
}

/** The same; notes the new standing. */
function moved(client: pg.ClientBase, standing: Standing): boolean {
  const { bytesRead, bytesWritten } = socketOf(client);
  const has = hasMoved(client, standing);
  Object.assign(standing, { bytes: bytesRead + bytesWritten, asking: isAsking(client) });
  return has;
}
