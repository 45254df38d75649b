import type pg from "pg";
import { type SentEach, type StatementBatches, send } from "../wire/send.ts";
import type { Connections, Work } from "./connections.ts";

/** Anything that runs SQL: the database, a transaction, a project behind its door. */
export interface Queryable {
  query<R>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** SQL on one connection inside a transaction. */
export interface Transaction extends Queryable {
  /** The connection itself, for COPY streams. */
  readonly connection: pg.PoolClient;
  /** Sets the time limit of the statements that follow, in milliseconds (0 sets none), and other settings of PostgreSQL. */
  allow(ms: number, settings?: Readonly<Record<string, string>>): Promise<void>;
}

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
): Promise<T> {
  const { client, release } = await connections.take(work);
  let broken: Error | undefined;
  let limit = limitMs;
  const ask = async (text: string, values?: unknown[]) =>
    await connections.answered(client, limit, client.query(text, values));
  try {
    await connections.answered(client, limit, open(client));
    const outcome = await run({
      connection: client,
      query: async <R>(text: string, values: readonly unknown[] = []) =>
        (await ask(text, [...values])).rows as R[],
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

/** Sends batches that belong together. */
export type Way = <const C extends StatementBatches>(batches: C) => SentEach<C>;

/** Sends batches over this connection. */
export const onConnection =
  (client: pg.PoolClient): Way =>
  (batches) =>
    send(client, batches);
