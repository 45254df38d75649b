import { createHash } from "node:crypto";
import pg from "pg";
import { type Row, type Statement, StatementChain } from "./statement-chain.ts";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * What stands before a project's rows. `statement` opens them by setting `leadgate.project` for its own
 * transaction, or does not; `admit` reads its row and throws the refusal. It travels with the work, so a
 * credential costs no round trip, and revocation holds from the next statement on.
 */
export interface Door {
  statement: Statement;
  admit(row: Row | undefined): void;
}

/** Whatever takes SQL: the database, a transaction, a project behind its door. */
export interface Queryable {
  query<R>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** SQL on one connection inside a transaction. */
export interface Transaction extends Queryable {
  /** The connection itself, for COPY streams. */
  readonly connection: pg.PoolClient;
}

/** SQL that sees one project only: what stands behind its door. */
export interface ProjectDb {
  /** One round trip: the door and the statement in one message. `prepare` keeps the plan on the server. */
  query<R>(text: string, values?: readonly unknown[], options?: { prepare?: boolean }): Promise<R[]>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

const PREPARED_SHAPES = 300;

/** The pool, and the two ways to use it: for everybody's tables, or behind a project's door. */
export class Database {
  readonly pool: pg.Pool;
  readonly #names = new Map<string, string>();

  constructor(
    url: string,
    options: {
      connections?: number;
      statementTimeoutMs?: number;
      onLostConnection?: (error: Error) => void;
    } = {},
  ) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: options.connections ?? 16,
      connectionTimeoutMillis: 5_000,
      options: [
        "-c timezone=UTC -c search_path=leadgate,public -c application_name=leadgate",
        `-c statement_timeout=${options.statementTimeoutMs ?? 15_000}`,
        "-c idle_in_transaction_session_timeout=60000 -c jit=off",
      ].join(" "),
    });
    // A connection that dies in use reports to its query and to itself; unheard, the second ends the process.
    const onError = options.onLostConnection ?? (() => undefined);
    this.pool.on("error", onError);
    this.pool.on("connect", (client) => client.on("error", onError));
  }

  /** SQL over tables that belong to no project; behind no door, project tables are empty. */
  async query<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const result = await this.pool.query(text, [...values]);
    return result.rows as R[];
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return await this.#transaction([{ text: "BEGIN", values: [] }], () => undefined, work);
  }

  behind(door: Door): ProjectDb {
    return {
      query: async <R>(text: string, values: readonly unknown[] = [], options = { prepare: false }) => {
        const name = options.prepare === true ? this.#nameOf(text) : undefined;
        const client = await this.pool.connect();
        try {
          const sent = await chain(client, [this.#named(door.statement), { text, values, name }]);
          if (sent.results.length > 0) door.admit(sent.results[0]?.[0]);
          if (sent.error !== undefined) throw sent.error;
          return (sent.results[1] ?? []) as R[];
        } finally {
          client.release();
        }
      },
      transaction: async (work) =>
        await this.#transaction(
          [{ text: "BEGIN", values: [] }, this.#named(door.statement)],
          (results) => door.admit(results[1]?.[0]),
          work,
        ),
    };
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  async #transaction<T>(
    opening: readonly Statement[],
    admit: (results: Row[][]) => void,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const sent = await chain(client, opening);
      if (sent.error !== undefined) throw sent.error;
      admit(sent.results);
      const outcome = await work({
        connection: client,
        query: async <R>(text: string, values: readonly unknown[] = []) =>
          (await client.query(text, [...values])).rows as R[],
      });
      await client.query("COMMIT");
      return outcome;
    } catch (error) {
      await client.query("ROLLBACK").catch((cause: Error) => {
        broken = cause;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  #named(statement: Statement): Statement {
    return { ...statement, name: this.#nameOf(statement.text) };
  }

  /** A name per statement text, for the first few hundred texts: filters have endless shapes. */
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= PREPARED_SHAPES) return known;
    const name = `lg_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }
}

/** What a chain of statements brought: the results until the error, if there was one. */
interface Sent {
  error: Error | undefined;
  results: Row[][];
}

function chain(client: pg.PoolClient, statements: readonly Statement[]): Promise<Sent> {
  return new Promise((resolve) => {
    client.query(new StatementChain(statements, (error, results) => resolve({ error, results })));
  });
}
