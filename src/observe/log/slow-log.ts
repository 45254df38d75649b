import type { SlowLogSettings } from "../../config/read-logs.ts";
import { type Account, type StatementKind, tenths } from "./account.ts";
import { shapeOf } from "./statement-shape.ts";

/** The part of the service's log that is needed here. */
export interface Log {
  info(members: object, message: string): void;
  warn(members: object, message: string): void;
}

const MOST_PER_SECOND = 10;
const WINDOW_MS = 1_000;
const MOST_STATEMENTS = 10;
const LONGEST_FILTER = 1_000;

/** Writes a warning for each operation that took long: at most ten lines a second, and how many were left out. */
export class SlowLog {
  readonly #settings: SlowLogSettings;
  #since = Number.NEGATIVE_INFINITY;
  #written = 0;
  #leftOut = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: SlowLogSettings) {
    this.#settings = settings;
  }

  /** Whether an account that has ended was slow. */
  isSlow(account: Account): boolean {
    return Math.max(toAnswer(account), account.longestMs) >= this.#settings.ms;
  }

  /** Writes a line about a slow account. `more` are the members of its line in the access log. */
  write(account: Account, log: Log, more: object): void {
    if (!this.#mayWrite(log)) return;
    const { arrivedAt, queueMs, waitMs, databaseMs } = account;
    const parts = queueMs + waitMs + databaseMs;
    const answerMs = toAnswer(account);
    const ms = parts <= answerMs ? answerMs : Math.max(parts, (account.endedAt ?? arrivedAt) - arrivedAt);
    const kinds = account.kinds.toSorted((a, b) => b.ms + b.waitMs - a.ms - a.waitMs);
    log.warn(
      {
        ...more,
        ...{ ms: tenths(ms), rest_ms: tenths(ms - parts), longest_ms: tenths(account.longestMs) },
        filter: cut(account.filter?.(this.#settings.values)),
        lock: account.lockWait === undefined ? undefined : shownLock(account.lockWait),
        sql: kinds.slice(0, MOST_STATEMENTS).map(shown),
      },
      "slow",
    );
  }

  #mayWrite(log: Log): boolean {
    const now = performance.now();
    if (now - this.#since >= WINDOW_MS) {
      this.#tellLeftOut(log);
      [this.#since, this.#written] = [now, 0];
    }
    if (this.#written < MOST_PER_SECOND) {
      this.#written += 1;
      return true;
    }
    this.#leftOut += 1;
    this.#timer ??= setTimeout(() => this.#tellLeftOut(log), WINDOW_MS).unref();
    return false;
  }

  #tellLeftOut(log: Log): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#leftOut === 0) return;
    log.warn({ left_out: this.#leftOut }, "slow operations were left out of the log");
    this.#leftOut = 0;
  }
}

/** How long the answer took from the arrival of the body on, in milliseconds. */
const toAnswer = ({ answeredAt, arrivedAt }: Account): number =>
  answeredAt === undefined ? 0 : answeredAt - arrivedAt;

const cut = (text: string | undefined): string | undefined =>
  text !== undefined && text.length > LONGEST_FILTER
    ? `${text.slice(0, LONGEST_FILTER)}…`.toWellFormed()
    : text;

/** What a statement waited for, and who held it, without what is not known. */
const shownLock = ({ wait, ms }: NonNullable<Account["lockWait"]>): object => ({
  ...{ ms: tenths(ms), kind: wait.kind, mode: wait.mode, table: wait.table ?? undefined },
  blocked_by: wait.blocked_by.map(({ pid, application, role, prepared, state, since }) => ({
    pid: pid === 0 ? undefined : pid,
    application: application ?? undefined,
    role: role ?? undefined,
    prepared: prepared ?? undefined,
    state,
    open_s: since === null ? undefined : tenths((performance.now() - since) / 1_000),
  })),
});

const shown = ({ text, lane, count, waitMs, ms, rows, failed }: StatementKind): object => {
  const times = { wait_ms: tenths(waitMs), ms: tenths(ms) };
  return { ...shapeOf(text), lane, count, ...times, rows, failed };
};
