import type pg from "pg";
import { report } from "../../observe/metrics/report.ts";
import type { Span } from "../../observe/trace/span.ts";
import { type NameTypes, Steps, typeNamesBy } from "../statements/in-steps.ts";
import { partsOf } from "../statements/parts.ts";
import type { StatementNames } from "../statements/statements.ts";
import { send } from "../wire/send.ts";
import type { Row, Statement } from "../wire/statement-batch.ts";
import { AbandonedError, cancel, hangUp } from "./client.ts";
import type { Connections, Lane, Taken, Work } from "./connections.ts";
import { answeredIn, notedOnly, type Recorded, sentIn } from "./recorded.ts";
import { LostError } from "./watch.ts";

/** Anything that runs SQL: the database, a transaction, a project behind its door. */
export interface Queryable {
  query<R>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** SQL on one connection inside a transaction. */
export interface Transaction extends Queryable {
  /** `prepare` prepares the statement on the server. */
  query<R>(text: string, values?: readonly unknown[], options?: { prepare?: boolean }): Promise<R[]>;
  /** The connection itself, for COPY streams. */
  readonly connection: pg.PoolClient;
  /** Cancels what runs on the server and closes the connection; for a COPY that nobody reads on. */
  abandon(): void;
  /** Sets the time limit of the statements that follow, in milliseconds (0 sets none), and other settings of PostgreSQL. */
  allow(ms: number, settings?: Readonly<Record<string, string>>): Promise<void>;
  /** The span of the transaction, if it is traced. */
  readonly span?: Span | undefined;
  /** Records a statement that is sent over `connection`, for the trace and the logs; undefined if nobody wants to know. */
  record(text: string): Recorded | undefined;
}

/** A transaction that can end with a write in steps. */
export interface EndingInSteps extends Transaction {
  /**
   * Runs a write of several parts, whose first message has these answers, and commits with its last message, behind
   * `check`. Returns the rows of the write and of the check. Nothing can follow in the transaction.
   */
  endWith(
    text: string,
    steps: Steps,
    first: readonly Row[][],
    check: Statement | undefined,
  ): Promise<{ rows: Row[]; checked: Row[] }>;
}

/** Begins a transaction; see `ProjectDb`. */
export type Begin = <T>(
  work: (tx: EndingInSteps, ahead: Row[][]) => Promise<T>,
  lane: Lane | undefined,
  ahead: readonly Statement[],
) => Promise<T>;

const COMMIT: Statement = { text: "COMMIT", values: [] };

/**
 * Runs a transaction. `open` sends its first message; a failure rolls everything back, and the connection is closed if
 * even that fails.
 */
export async function runTransaction<T>(
  connections: Connections,
  work: Work,
  limitMs: number,
  open: (client: pg.PoolClient) => Promise<void>,
  run: (tx: EndingInSteps) => Promise<T>,
  names: StatementNames,
): Promise<T> {
  const { client, release } = await answeredIn(
    notedOnly(work.record),
    opened(connections, work, limitMs, open),
  );
  let broken: Error | undefined;
  let limit = limitMs;
  const record = (text: string) => work.record?.within(text, work.lane);
  const ask = async (text: string, values?: unknown[]) =>
    await answeredIn(
      record(text),
      connections.answered(client, limit, client.query(text, values)),
      ({ rows }) => rows.length,
    );
  const askPrepared = async (text: string, values: readonly unknown[]) => {
    const recorded = record(text);
    const [sent] = send(client, [[{ text, values, name: names.of(text) }]]);
    const { error, results } = await sentIn(recorded, 0, connections.answered(client, limit, sent));
    if (error !== undefined) throw error;
    return results[0] ?? [];
  };
  const askAll = async (statements: readonly Statement[]) => {
    const first = new Map(statements.toReversed().map((each) => [each.text, each]));
    // A message prepares a text once.
    const named = statements.map((each) =>
      first.get(each.text) === each ? { ...each, name: names.of(each.text) } : each,
    );
    const { error, results } = await connections.answered(client, limit, send(client, [named])[0]);
    if (error !== undefined) throw error;
    return results;
  };
  const nameTypes: NameTypes = (numbers) =>
    typeNamesBy(
      async (text, values) => (await askAll([{ text, values }]))[0] ?? [],
      connections.typeNames,
      numbers,
    );
  /** Returns the results of `behind`, which are sent with the last message. */
  const through = async (steps: Steps, first: readonly Row[][] | undefined, behind: readonly Statement[]) => {
    if (first !== undefined) await steps.take(first, nameTypes);
    for (let isDone = false; !isDone; ) {
      const message = steps.next();
      isDone = steps.isLast;
      const results = await askAll([...message, ...(isDone ? behind : [])]);
      await steps.take(results, nameTypes);
      if (isDone) return results.slice(message.length);
    }
    return [];
  };
  let isCommitted = false;
  const partsHere = (text: string) => (connections.options.distributed === true ? partsOf(text) : undefined);
  try {
    const outcome = await run({
      connection: client,
      ...{ span: work.record?.span, record },
      abandon() {
        // If it has nothing to send, the server does not notice that the connection is closed.
        cancel(client);
        hangUp(client, new AbandonedError("the connection was closed in the middle of its statement"));
      },
      query: async <R>(
        text: string,
        values: readonly unknown[] = [],
        { prepare = false }: { prepare?: boolean } = {},
      ) => {
        const parts = partsHere(text);
        if (parts !== undefined) {
          const steps = new Steps(parts, values);
          await answeredIn(record(text), through(steps, undefined, []), () => steps.rows.length);
          return steps.rows as R[];
        }
        return (prepare ? await askPrepared(text, values) : (await ask(text, [...values])).rows) as R[];
      },
      endWith: async (text, steps, first, check) => {
        const behind = [...(check === undefined ? [] : [check]), COMMIT];
        const results = await answeredIn(
          record(text),
          through(steps, first, behind),
          () => steps.rows.length,
        );
        isCommitted = true;
        return { rows: steps.rows, checked: check === undefined ? [] : (results[0] ?? []) };
      },
      allow: async (ms, settings = {}) => {
        const all = Object.entries({ ...settings, statement_timeout: String(ms) });
        const sets = all.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`);
        await ask(`SELECT ${sets.join(", ")}`, all.flat());
        limit = ms;
      },
    });
    if (!isCommitted) {
      const since = performance.now();
      await ask("COMMIT");
      const ms = performance.now() - since;
      report.committed(ms / 1_000);
      if (work.record?.note !== undefined) work.record.note.account.commitMs += ms;
    }
    return outcome;
  } catch (error) {
    await ask("ROLLBACK").catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    release(broken);
  }
}

/** Takes a connection and opens the transaction; takes another one if that was lost, since nothing was done yet. */
async function opened(
  connections: Connections,
  work: Work,
  limitMs: number,
  open: (client: pg.PoolClient) => Promise<void>,
): Promise<Taken> {
  for (let again = true; ; again = false) {
    const taken = await connections.take(work);
    try {
      await connections.answered(taken.client, limitMs, open(taken.client));
      return taken;
    } catch (error) {
      // The message may have left a transaction open.
      const closed = await connections.answered(taken.client, limitMs, taken.client.query("ROLLBACK")).then(
        () => undefined,
        (cause: Error) => cause,
      );
      taken.release(closed);
      if (!again || !(error instanceof LostError)) throw error;
    }
  }
}
