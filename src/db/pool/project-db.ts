import type { Caller } from "../../observe/log/account.ts";
import { Steps } from "../statements/in-steps.ts";
import type { Part } from "../statements/parts.ts";
import type { Row, Statement } from "../wire/statement-batch.ts";
import type { Lane } from "./connections.ts";
import type { Begin, Transaction } from "./transaction.ts";

/**
 * Guards a project's rows. `statement` (see doorSql) opens the project for its own transaction if the credential is valid, and
 * fails otherwise, so that what is sent with it does not run; `admit` throws the refusal for the row that was found. Checking a
 * credential costs no round trip, and a revocation takes effect with the next statement.
 */
export interface Door {
  statement: Statement;
  admit(row: Row | undefined): void;
  /** Returns by its row whose valid credential it was, whether that is enough for the door or not. */
  who?(row: Row): Caller;
}

/** The rows of a statement, and those of the check behind it. */
export type Answer<R, C> = { rows: R[]; checked: C[] };

/** SQL that sees only one project, behind its door. */
export interface ProjectDb {
  /** On a cluster, reads where the feed ends, for a statement that reads it (see horizonSql); otherwise undefined. */
  feedEnd(): Promise<string | undefined>;
  /** Runs the door alone and returns its row. */
  open<R>(): Promise<R>;
  /**
   * Sends the door and the statement in one message. `prepare` prepares the statement on the server. `measured`, for a read
   * that may be slow, prepares it if that is faster (see PlanChoice). `parallel` allows workers (see PARALLEL). `ahead` are
   * sent before the statement; their texts are constant. `short` is for statements that read or write a few rows by key; they
   * share messages (see Pipeline). `grouped` is the same for one record of a project, which shares a message only with its
   * project's other ones; a write that has to wait for a lock is sent again by itself.
   */
  query<R>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<R[]>;
  /** The same; a second statement, with a constant text, follows in the message, and its rows are returned, too. */
  queryAndCheck<R, C>(
    text: string,
    values: readonly unknown[],
    check: Statement,
    options?: QueryOptions,
  ): Promise<{ rows: R[]; checked: C[] }>;
  /**
   * `lane` is that of long work, unless the work is by key. `ahead` are sent with the transaction's first message, behind the
   * door; their texts are constant. The work receives their rows.
   */
  transaction<T>(
    work: (tx: Transaction, ahead: Row[][]) => Promise<T>,
    lane?: Lane,
    ahead?: readonly Statement[],
  ): Promise<T>;
}

export interface QueryOptions {
  prepare?: boolean;
  measured?: boolean;
  parallel?: boolean;
  ahead?: readonly Statement[] | undefined;
  /** Called with how long the database took for the answer, in milliseconds. */
  took?: (ms: number) => void;
  short?: "read" | "write";
  grouped?: "read" | "write" | undefined;
}

/** Sends a write of several parts in a transaction of its own, the first parts with its first message. */
export async function askInSteps(
  begin: Begin,
  { text, values }: Statement,
  parts: readonly Part[],
  { lane, ahead = [], check }: { lane: Lane; check: Statement | undefined } & Pick<QueryOptions, "ahead">,
): Promise<Answer<Row, Row>> {
  const steps = new Steps(parts, values);
  return await begin((tx, rows) => tx.endWith(text, steps, rows.slice(ahead.length), check), lane, [
    ...ahead,
    ...steps.next(),
  ]);
}
