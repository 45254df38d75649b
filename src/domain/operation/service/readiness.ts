import type { Logger } from "pino";
import { within } from "../../../core/within.ts";
import type { WriteFault } from "../../../core/write-fault.ts";
import type { Connections } from "../../../db/pool/connections.ts";
import { askWrites } from "../../../db/pool/write-check.ts";

const LIMIT_MS = 1_000;
/** Results are shared for this long, so that many callers cost no more than four checks a second. */
const SHARED_MS = 250;
const SPACE_EVERY_MS = 5_000;
const AGAIN_MS = 1_000;
/** From when on the way to the database is slow, and how often this is logged at most. */
const FAR_SECONDS = 0.1;
const FAR_EVERY_MS = 10_000;

/** What is known about the database. */
export interface ReadyState {
  answers: boolean;
  /** Why it takes no changes, if so. */
  fault: WriteFault | undefined;
}

/**
 * What this process knows about its database: whether it answers, and whether it takes changes. A statement that fails
 * because the database takes no changes counts at once; from then on, it is checked every second until changes work
 * again.
 */
export class Readiness {
  readonly #connections: Connections;
  readonly #log: Logger;
  #answers = true;
  #fault: WriteFault | undefined;
  #aheadSeconds: number | undefined;
  #roundTripSeconds: number | undefined;
  #farAt = Number.NEGATIVE_INFINITY;
  /** The number of faults reported so far. */
  #faults = 0;
  /** The answer of the check that is running or not over yet. */
  #running: Promise<void> | undefined;
  #freshUntil = 0;
  #spaceAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(connections: Connections, log: Logger) {
    this.#connections = connections;
    this.#log = log;
    connections.onTrouble = () => void this.check();
  }

  /** The result so far, without a check. */
  get state(): ReadyState {
    return { answers: this.#answers, fault: this.#fault };
  }

  /** The seconds by which the database's clock was ahead of this process's at the last check; undefined before the first. */
  get aheadSeconds(): number | undefined {
    return this.#aheadSeconds;
  }

  /** How long the answer to a statement that is no work took at the last check; undefined before the first. */
  get roundTripSeconds(): number | undefined {
    return this.#roundTripSeconds;
  }

  /** The numbers of connections for requests, and of the requests that wait for one. */
  get connections(): Record<string, number> {
    return this.#connections.state;
  }

  /** How much work of each lane has a connection, and how much waits for one. */
  get lanes(): Connections["lanes"] {
    return this.#connections.lanes;
  }

  /** What waits for locks of the database. */
  get lockWaits(): Connections["lockWaits"] {
    return this.#connections.lockWaits;
  }

  /** Whether the database is away; then what needs it is refused at once. */
  get isAway(): boolean {
    return this.#connections.isAway;
  }

  /** Whether a project, or without one anybody, may be blamed that its own work is in the way. */
  mayBlame(projectId?: string): boolean {
    return this.#connections.mayBlame(projectId);
  }

  /** Returns the result of a check within about a second. At most one check is running. */
  async check(): Promise<ReadyState> {
    if (this.#running === undefined && performance.now() >= this.#freshUntil) this.#running = this.#run();
    await this.#running;
    return this.state;
  }

  /** Takes note of a statement that failed because the database takes no changes. */
  failed(fault: WriteFault): void {
    this.#faults += 1;
    if (this.#fault === fault) return;
    this.#fault = fault;
    this.#log.warn({ fault }, "the database takes no changes");
    this.#keepChecking();
  }

  close(): void {
    this.#connections.onTrouble = () => undefined;
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #run(): Promise<void> {
    const before = this.#faults;
    const started = performance.now();
    const needsSpace = this.#fault !== undefined || started - this.#spaceAt >= SPACE_EVERY_MS;
    const { answer, over } = askWrites(this.#connections, needsSpace, LIMIT_MS);
    const isReached = this.#isReached(answer);
    try {
      const { fault, aheadSeconds, roundTripSeconds } = await answer;
      this.#aheadSeconds = aheadSeconds ?? this.#aheadSeconds;
      this.#roundTripSeconds = roundTripSeconds ?? this.#roundTripSeconds;
      this.#tellFar(started);
      this.#becomeAnswering();
      if (fault !== undefined) this.failed(fault);
      else if (needsSpace) {
        this.#spaceAt = started;
        if (before === this.#faults) this.#worked();
      }
    } catch (error) {
      if (this.#answers && !this.#isClosed)
        this.#log.warn({ err: error }, "not ready: the database does not answer");
      this.#answers = false;
      this.#connections.setAway(!(await isReached));
      this.#keepChecking();
    }
    this.#freshUntil = performance.now() + SHARED_MS;
    over.then((answered) => {
      this.#running = undefined;
      if (answered) this.#becomeAnswering();
    });
  }

  /**
   * Whether a new connection reaches the database, which is tried if there is no answer soon: requests may have all connections, and
   * the one of the check may have died alone.
   */
  async #isReached(answer: Promise<unknown>): Promise<boolean> {
    const isAnswered = await within(LIMIT_MS / 4, answer).catch(() => false);
    return isAnswered || (await this.#connections.isReached(LIMIT_MS));
  }

  #tellFar(now: number): void {
    const seconds = this.#roundTripSeconds ?? 0;
    if (seconds < FAR_SECONDS || now - this.#farAt < FAR_EVERY_MS) return;
    this.#farAt = now;
    this.#log.warn(
      { round_trip_ms: Math.floor(seconds * 1_000) },
      "the database takes long to answer a statement that is no work",
    );
  }

  #becomeAnswering(): void {
    this.#connections.setAway(false);
    if (!this.#answers) this.#log.info("the database answers again");
    this.#answers = true;
    this.#rest();
  }

  /** Checks every second while something is wrong. */
  #keepChecking(): void {
    if (!this.#isClosed) this.#timer ??= setInterval(() => void this.check(), AGAIN_MS).unref();
  }

  #rest(): void {
    if (!this.#answers || this.#fault !== undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #worked(): void {
    if (this.#fault === undefined) return;
    this.#fault = undefined;
    this.#log.info("the database takes changes again");
    this.#rest();
  }
}
