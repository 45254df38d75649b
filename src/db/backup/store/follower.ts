import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LocalFile, localFiles, type Selection } from "./local-files.ts";
import type { Store } from "./store.ts";
import { StoreError } from "./store-error.ts";

/** What a Follower waits for, in milliseconds. */
export interface Pace {
  /** Between two looks into the folder. */
  lookMs: number;
  /** After a first failure; twice as long after each further one. */
  firstPauseMs: number;
  longestPauseMs: number;
}

const PACE: Pace = { lookMs: 1_000, firstPauseMs: 2_000, longestPauseMs: 60_000 };
const DAY_MS = 86_400_000;

export interface FollowerOptions extends Selection {
  store: Store;
  log: { info(message: string): void; warn(fields: object, message: string): void };
  pace?: Pace;
}

/** How far the store is behind the folder. */
export interface Following {
  /** Files that are not in the store, and their bytes; undefined until both were looked at. */
  waiting: { files: number; bytes: number } | undefined;
  /** The longest that a file took from its completion to its arrival in the last 24 hours, or waits now; undefined if none did. */
  greatestDelayMs: number | undefined;
  /** When a file arrived for the last time since the start. */
  arrived: Date | undefined;
  /** When the store failed first, and the last reason; undefined while it takes files. */
  failing: { since: Date; reason: string } | undefined;
}

/** Files on their own, and files of folders with a last file. */
type Lane = 0 | 1;

/**
 * Sends the complete files of a folder to a store, under their paths, as long as the service runs: files on their own, and next to
 * them folders with a last file, so that a small file does not wait for a large backup. It removes nothing.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #pace: Pace;
  readonly #ending = new AbortController();
  /** The files that the store has, with their bytes; undefined until it was listed. */
  #stored: Promise<Map<string, number>> | undefined;
  #known: Map<string, number> | undefined;
  #listedAt = Number.POSITIVE_INFINITY;
  /** What each lane has still to send; undefined until it has looked. */
  readonly #waiting: [LocalFile[] | undefined, LocalFile[] | undefined] = [undefined, undefined];
  /** Arrivals of the last 24 hours that no later one exceeds. */
  #delays: { at: number; ms: number }[] = [];
  #arrivedAt: Date | undefined;
  readonly #failing: [Following["failing"], Following["failing"]] = [undefined, undefined];
  #wake = Promise.withResolvers<void>();
  readonly #done: Promise<unknown>;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#pace = options.pace ?? PACE;
    this.#done = Promise.all([this.#keepOn(0), this.#keepOn(1)]);
  }

  /** Looks into the folder now. */
  look(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Whether a file is in the store for certain. */
  isStored(path: string): boolean {
    return this.#known?.has(path) ?? false;
  }

  figures(): Following {
    const now = Date.now();
    const waiting = this.#waiting.flatMap((queue) => queue ?? []);
    this.#delays = this.#delays.filter(({ at }) => at > now - DAY_MS);
    const delays = [...this.#delays.map(({ ms }) => ms), ...waiting.map(({ completed }) => now - completed)];
    return {
      waiting: this.#waiting.includes(undefined)
        ? undefined
        : { files: waiting.length, bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0) },
      greatestDelayMs: delays.length === 0 ? undefined : Math.max(0, ...delays),
      arrived: this.#arrivedAt,
      failing: this.#failing[0] ?? this.#failing[1],
    };
  }

  /** Stops; an upload that is under way is given up. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#done;
  }

  async #keepOn(lane: Lane): Promise<void> {
    const { signal } = this.#ending;
    for (let pause = this.#pace.firstPauseMs; !signal.aborted; ) {
      try {
        await this.#sendAll(lane);
        pause = this.#pace.firstPauseMs;
        await Promise.race([this.#wake.promise, sleep(this.#pace.lookMs, undefined, { signal, ref: false })]);
      } catch (error) {
        if (signal.aborted) return;
        this.#fail(lane, error as Error);
        await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(
          () => undefined,
        );
        pause = Math.min(pause * 2, this.#pace.longestPauseMs);
      }
    }
  }

  async #sendAll(lane: Lane): Promise<void> {
    const { store, folder } = this.#options;
    const isIdle = this.#waiting.every((queue) => queue?.length === 0);
    // Somebody else may have removed files from the store.
    if (isIdle && Date.now() - this.#listedAt > DAY_MS) this.#stored = undefined;
    this.#stored ??= this.#list();
    const stored = await this.#stored;
    const all = await localFiles(this.#options).catch((error: NodeJS.ErrnoException) => {
      // There is no backup yet, or an old one is removed just now.
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (all === undefined) {
      this.#waiting[lane] ??= [];
      return;
    }
    if (lane === 0) forgetOthers(stored, all);
    const queue = all.filter(
      ({ path, bytes, set }) => (set === undefined ? 0 : 1) === lane && stored.get(path) !== bytes,
    );
    for (const { path } of queue) stored.delete(path);
    this.#waiting[lane] = queue;
    for (let file = queue[0]; file !== undefined; file = queue[0]) {
      const { path, bytes, completed } = file;
      try {
        await store.put(join(folder, path), path, { signal: this.#ending.signal });
        stored.set(path, bytes);
        this.#arrived(lane, completed);
      } catch (error) {
        // The file was removed meanwhile.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || error instanceof StoreError) throw error;
      }
      queue.shift();
    }
    this.#recover(lane);
  }

  /** Lists the store: once a day, and after a failure. Uploads that an earlier run did not end are removed after a day. */
  async #list(): Promise<Map<string, number>> {
    const stored = new Map<string, number>();
    const { store, log } = this.#options;
    const { signal } = this.#ending;
    try {
      for await (const { key, bytes } of store.list("", { signal })) stored.set(key, bytes);
      await store.removeUnfinishedUploads(new Date(Date.now() - DAY_MS), { signal }).catch((error) => {
        signal.throwIfAborted();
        log.warn({ err: error }, "unfinished uploads could not be removed from the store");
      });
    } catch (error) {
      this.#stored = undefined;
      throw error;
    }
    this.#known = stored;
    this.#listedAt = Date.now();
    return stored;
  }

  #arrived(lane: Lane, completed: number): void {
    const [at, ms] = [Date.now(), Math.max(0, Date.now() - completed)];
    this.#delays = [...this.#delays.filter((each) => each.ms > ms), { at, ms }];
    this.#arrivedAt = new Date(at);
    this.#recover(lane);
  }

  #fail(lane: Lane, error: Error): void {
    if (!this.#failing.some(Boolean))
      this.#options.log.warn(
        { err: error },
        "the store does not take backups at the moment; it will be tried again",
      );
    this.#failing[lane] = { since: this.#failing[lane]?.since ?? new Date(), reason: error.message };
  }

  #recover(lane: Lane): void {
    const wasFailing = this.#failing[lane] !== undefined;
    this.#failing[lane] = undefined;
    if (wasFailing && !this.#failing.some(Boolean)) this.#options.log.info("the store takes backups again");
  }
}

/** Forgets files of the store that the folder does not have, unless it has none: then its disk may be away. */
function forgetOthers(stored: Map<string, number>, all: readonly LocalFile[]): void {
  if (all.length === 0) return;
  const local = new Set(all.map(({ path }) => path));
  for (const path of stored.keys()) if (!local.has(path)) stored.delete(path);
}
