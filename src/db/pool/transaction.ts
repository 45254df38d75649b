import type pg from "pg";
import type { Span } from "../../observe/trace/span.ts";
import { inSteps, type SendOne } from "../statements/in-steps.ts";
import { partsOf } from "../statements/parts.ts";
import type { StatementNames } from "../statements/statements.ts";
import { type SentEach, type StatementBatches, send } from "../wire/send.ts";
import { cancel, hangUp } from "./client.ts";
import type { Connections, Taken, Work } from "./connections.ts";
import { answeredIn, type Recorded, sentIn } from "./recorded.ts";
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

/** Values as PostgreSQL's texts. */
const RAW = { getTypeParser: () => (value: string) => value };

/**
 * Runs a transaction. `open` sends its first message; a failure rolls everything back, and the connection is closed if
 * even that fails.
 */
export async function runTransaction<T>(
  connections: Connections,
  work: Work,
  limitMs: number,
  open: (client: pg.PoolClient) => Promise<void>,
  run: (tx: Transaction) => Promise<T>,
  names: StatementNames,
): Promise<T> {
  const { client, release } = await answeredIn(work.record?.note, opened(connections, work, limitMs, open));
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
  const sendOne: SendOne = ({ text, values, raw: isRaw }) =>
    connections.answered(
      client,
      limit,
      client.query({ text, values, ...(isRaw && { rowMode: "array", types: RAW }) }),
    );
  const partsHere = (text: string) => (connections.options.distributed === true ? partsOf(text) : undefined);
  try {
    const outcome = await run({
      connection: client,
      ...{ span: work.record?.span, record },
      abandon() {
        // If it has nothing to send, the server does not notice that the connection is closed.
        cancel(client);
        hangUp(client, new Error("the connection was closed in the middle of its statement"));
      },
      query: async <R>(
        text: string,
        values: readonly unknown[] = [],
        { prepare = false }: { prepare?: boolean } = {},
      ) => {
        const parts = partsHere(text);
        if (parts !== undefined)
          return (await answeredIn(
            record(text),
            inSteps(sendOne, connections.typeNames, parts, values),
            ({ length }) => length,
          )) as R[];
        return (prepare ? await askPrepared(text, values) : (await ask(text, [...values])).rows) as R[];
      },
      allow: async (ms, settings = {}) => {
        const all = Object.entries({ ...settings, statement_timeout: String(ms) });
        const sets = all.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`);
        await ask(`SELECT ${sets.join(", ")}`, all.flat());
        limit = ms;
      },
    });
    await ask("COMMIT");
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

/** Sends batches that belong together. */
export type Way = <const C extends StatementBatches>(batches: C) => SentEach<C>;

/** Sends batches over this connection. */
export const onConnection =
  (client: pg.PoolClient, sendAll: typeof send): Way =>
  (batches) =>
    sendAll(client, batches);
