/** One request and its answer. Times are milliseconds of one monotonic clock, from the start of the round. */
export interface Call {
  kind: "call";
  n: number;
  actor: string;
  op: Op;
  /** What the checker must know of the request. */
  about: Readonly<Record<string, string | number>>;
  /** The process that was asked. */
  to: string;
  start: number;
  end: number;
  /** Null if no answer came. */
  status: number | null;
  /** Whether the request left: without an answer it may then have been carried out, or still will be. */
  isSent: boolean;
  retryAfter: string | null;
  answer: unknown;
}

/** What was done to the installation. `crash` means that PostgreSQL lost its unlogged tables. */
export interface FaultDone {
  kind: "fault";
  name: string;
  start: number;
  end: number;
  crash: boolean;
}

/** The name of a fault that nobody causes: a process that did not get the answers of Redis in time, and said so. */
export const REDIS_LATE = "redis-late";

/** A process that ended although nobody ended it. */
interface Death {
  kind: "death";
  name: string;
  at: number;
  how: string;
}

/**
 * How long after the last fault a process was ready again; null if it was not within the time to wait. `within` is
 * what it may take: ten seconds, and more on a machine where a start without faults takes long.
 */
interface ReadyAgain {
  kind: "ready";
  name: string;
  after: number | null;
  within: number;
}

/** The limit of the counted key: `burst` calls at once, then one in `each` milliseconds. */
export interface CountedLimit {
  kind: "limit";
  burst: number;
  each: number;
  /** Whether Redis counts. While it is late (REDIS_LATE), half the limit applies in the database, in addition. */
  redis: boolean;
  /** How many processes answer the counted calls. While the disk is full, each counts to half the limit by itself. */
  instances: number;
}

/** What the database holds in the end, by SQL: a second opinion that no promise depends on. */
interface Stored {
  kind: "stored";
  leads: number;
  unfinishedJobs: number;
}

export type Entry = Call | FaultDone | Death | ReadyAgain | CountedLimit | Stored;

export type Op =
  | "lead.create"
  | "lead.bulk"
  | "lead.upsert"
  | "lead.change"
  | "lead.read"
  | "lead.delete"
  | "lead.list"
  | "event.add"
  | "feed.page"
  | "import.upload"
  | "import.commit"
  | "import.read"
  | "export.start"
  | "export.read"
  | "export.file"
  | "oauth.sign-in"
  | "oauth.register"
  | "oauth.authorize"
  | "oauth.exchange"
  | "oauth.refresh"
  | "oauth.introspect"
  | "oauth.revoke"
  | "counted.read";

export type History = readonly Entry[];

export const callsOf = (history: History, ...ops: readonly Op[]): Call[] =>
  history.filter((entry): entry is Call => entry.kind === "call" && ops.includes(entry.op));

/** The request was carried out, and its caller knows. */
export const isAcknowledged = ({ status }: Call): boolean => status !== null && status < 300;

/** The caller cannot know whether the request was, or still will be, carried out. */
export const isUnknown = ({ status, isSent }: Call): boolean => isSent && (status === null || status >= 500);

/** Any other request was refused, or did not leave: it was not carried out. */
export const mayHaveHappened = (call: Call): boolean => isAcknowledged(call) || isUnknown(call);

/** The value at this path of an answer; undefined if there is none. */
export function valueIn(answer: unknown, ...path: readonly (string | number)[]): unknown {
  let value = answer;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.entries(value).find(([name]) => name === String(key))?.[1];
  }
  return value;
}

/** The string at this path of an answer; empty if there is none. */
export function textIn(answer: unknown, ...path: readonly (string | number)[]): string {
  const value = valueIn(answer, ...path);
  return typeof value === "string" ? value : "";
}

/** The number at this path of an answer; NaN if there is none. */
export function numberIn(answer: unknown, ...path: readonly (string | number)[]): number {
  const value = valueIn(answer, ...path);
  return typeof value === "number" ? value : Number.NaN;
}

/** The list at this path of an answer; empty if there is none. */
export function listIn(answer: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueIn(answer, ...path);
  return Array.isArray(value) ? value : [];
}
