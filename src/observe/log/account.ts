/** Who was let in, by ids. */
export interface Caller {
  credential: "key" | "token" | "session" | "person";
  /** The id of the key, the authorization, the session or the person. */
  id: string;
  project?: string;
}

/** What one kind of statement did in a request or a job. */
export interface StatementKind {
  text: string;
  /** The lane of its longest one. */
  lane: string;
  count: number;
  /** Milliseconds of waiting for a connection, and with the database. */
  waitMs: number;
  ms: number;
  rows: number;
  /** PostgreSQL's code of the last one that failed. */
  failed?: string;
}

/** A process or a prepared transaction that holds a lock. */
export interface LockHolder {
  /** 0 for a prepared transaction. */
  pid: number;
  application: string | null;
  role: string | null;
  /** The name of the prepared transaction. */
  prepared: string | null;
  /** PostgreSQL's state, such as `idle in transaction`; `prepared`, or `hidden` if the service's role may not see it. */
  state: string;
  /** Since when its transaction is open, by the clock of `performance.now()`; null if hidden. */
  since: number | null;
}

/** What a statement waits for in the database. */
export interface LockWait {
  /** Since when, by the same clock. */
  since: number;
  /** PostgreSQL's type and mode of the lock, and the table that it belongs to, if one. */
  kind: string;
  mode: string;
  table: string | null;
  /** Those that hold it and do not wait for a lock themselves. */
  blocked_by: LockHolder[];
}

/** More kinds than this say no more about a job. */
const MOST_KINDS = 30;

/** What one request or one run of a job did, for its lines in the access log and the slow log. Times are in milliseconds. */
export class Account {
  readonly startedAt = performance.now();
  /** When the request's body had arrived. */
  arrivedAt = this.startedAt;
  /** When the answer began. */
  answeredAt: number | undefined;
  endedAt: number | undefined;
  /** How long the request waited for a slot of the process. */
  queueMs = 0;
  /** While no statement was with the database and at least one waited for a connection. */
  waitMs = 0;
  /** While at least one statement was with the database. */
  databaseMs = 0;
  /** Of it: while commits waited for the database's disk. */
  commitMs = 0;
  /** While the client did not take what was sent. */
  unreadMs = 0;
  statements = 0;
  /** The first operation that was performed. */
  operation: string | undefined;
  caller: Caller | undefined;
  /** The code of the refusal. */
  refusal: string | undefined;
  /** The lane of the statement that took longest, and how long it waited and ran. */
  lane: string | undefined;
  longestMs = 0;
  /** The longest wait for a lock that was found, and its milliseconds. */
  lockWait: { wait: LockWait; ms: number } | undefined;
  /** Returns the filter as a sentence, with its values or without. */
  filter: ((withValues: boolean) => string | undefined) | undefined;
  readonly kinds: StatementKind[] = [];
  #waiting = 0;
  #asking = 0;
  #since = this.startedAt;

  /** Notes a statement that now waits for a connection, or with `taken` has one; undefined after the end. */
  statement(text: string, lane: string, taken = false): StatementNote | undefined {
    if (this.endedAt !== undefined) return undefined;
    this.statements += 1;
    this.move(1, 0);
    const note = new StatementNote(this, text, lane);
    if (taken) note.taken();
    return note;
  }

  performs(operation: string): void {
    this.operation ??= operation;
  }

  /** A credential is valid; the last one counts, since a session's project is known last. */
  admitted(caller: Caller | undefined): void {
    if (caller !== undefined) this.caller = caller;
  }

  refuse(code: string): void {
    this.refusal = code;
  }

  selects(filter: (withValues: boolean) => string | undefined): void {
    this.filter = filter;
  }

  /** Ends the account; later statements are not counted. */
  end(): void {
    this.move(0, 0);
    this.endedAt ??= performance.now();
  }

  /** Adds the time since the last call to what was going on, then changes how many statements wait and run. */
  move(waiting: number, asking: number): void {
    const now = performance.now();
    if (this.#asking > 0) this.databaseMs += now - this.#since;
    else if (this.#waiting > 0) this.waitMs += now - this.#since;
    this.#since = now;
    this.#waiting += waiting;
    this.#asking += asking;
  }

  /** A statement that has ended had to wait for a lock. */
  waitedForLock(wait: LockWait): void {
    const ms = performance.now() - wait.since;
    if (this.lockWait === undefined || ms > this.lockWait.ms) this.lockWait = { wait, ms };
  }

  /** A statement has ended. */
  ended({ text, lane }: StatementNote, waitMs: number, ms: number, rows: number, failed?: string): void {
    const isLongest = waitMs + ms >= this.longestMs;
    if (isLongest) [this.longestMs, this.lane] = [waitMs + ms, lane];
    let kind = this.kinds.find((each) => each.text === text);
    if (kind === undefined) {
      if (this.kinds.length >= MOST_KINDS) return;
      kind = { text, lane, count: 0, waitMs: 0, ms: 0, rows: 0 };
      this.kinds.push(kind);
    }
    kind.count += 1;
    kind.waitMs += waitMs;
    kind.ms += ms;
    kind.rows += rows;
    if (isLongest) kind.lane = lane;
    if (failed !== undefined) kind.failed = failed;
  }
}

/** A statement on its way. */
export class StatementNote {
  readonly account: Account;
  readonly text: string;
  readonly lane: string;
  readonly #askedAt = performance.now();
  #takenAt: number | undefined;
  #isOver = false;

  constructor(account: Account, text: string, lane: string) {
    this.account = account;
    this.text = text;
    this.lane = lane;
  }

  /** It has its connection. */
  taken(): void {
    if (this.#takenAt !== undefined || this.#isOver) return;
    this.#takenAt = performance.now();
    this.account.move(-1, 1);
  }

  /** It has its answer: so many rows, or an error. */
  end(rows: number, error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const now = performance.now();
    const takenAt = this.#takenAt ?? now;
    this.account.move(this.#takenAt === undefined ? -1 : 0, this.#takenAt === undefined ? 0 : -1);
    const failed = error === undefined ? undefined : codeOf(error);
    this.account.ended(this, takenAt - this.#askedAt, now - takenAt, rows, failed);
  }
}

/** The code of an error, PostgreSQL's or a refusal's, or else its name; never its message, which may contain data. */
function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const text = typeof code === "string" ? code : typeof name === "string" ? name : "Error";
  return /^[\w.-]{1,60}$/.test(text) ? text : "Error";
}

/** Tenths of a millisecond; rounded down, so that parts are never more than their whole. */
export const tenths = (ms: number): number => Math.floor(ms * 10) / 10;
