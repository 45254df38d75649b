import { createHash } from "node:crypto";
import pg from "pg";
import { sendAsGroup } from "../wire/group-commit.ts";
import { Pipeline } from "../wire/pipeline.ts";
import { PARALLEL, type Sent, type SentEach, type StatementBatches, send } from "../wire/send.ts";
import type { Row, Statement } from "../wire/statement-batch.ts";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Guards a project's rows. `statement` opens the project by setting `leadgate.project` for its own transaction if the
 * credential is valid; `admit` reads its row and throws the refusal. It is sent with the work, so checking a credential
 * costs no round trip, and a revocation takes effect with the next statement.
 */
export interface Door {
  statement: Statement;
  admit(row: Row | undefined): void;
}

/** Anything that runs SQL: the database, a transaction, a project behind its door. */
export interface Queryable {
  query<R>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** SQL on one connection inside a transaction. */
export interface Transaction extends Queryable {
  /** The connection itself, for COPY streams. */
  readonly connection: pg.PoolClient;
}

/** SQL that sees only one project, behind its door. */
export interface ProjectDb {
  /** Runs the door alone and returns its row. */
  open<R>(): Promise<R>;
  /**
   * Sends the door and the statement in one message. `prepare` prepares the statement on the server: the first few hundred
   * texts, or `always` for a constant text. `parallel` allows workers (see PARALLEL). `ahead` is sent before the statement;
   * its text is constant. `short` is for statements that read or write a few rows by key; they share messages (see
   * Pipeline).
   */
  query<R>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<R[]>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

type Prepare = boolean | "always";

interface QueryOptions {
  prepare?: Prepare;
  parallel?: boolean;
  ahead?: Statement;
  short?: "read" | "write";
}

const PREPARED_SHAPES = 300;

/** The connection pool, used for tables that belong to no project, or behind a project's door. */
export class Database {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly #names: Map<string, string>;
  readonly #short: { read: Pipeline; write: Pipeline };

  /** With another Database as `from`, shares its connections. */
  constructor(
    from: string | Database,
    options: {
      connections?: number;
      statementTimeoutMs?: number;
      onLostConnection?: (error: Error) => void;
    } = {},
  ) {
    if (from instanceof Database) {
      this.pool = from.pool;
      this.url = from.url;
      this.#names = from.#names;
      this.#short = from.#short;
      return;
    }
    const url = from;
    this.url = url;
    this.#names = new Map();
    this.pool = new pg.Pool({
      connectionString: url,
      max: options.connections ?? 16,
      connectionTimeoutMillis: 5_000,
      options: [
        "-c timezone=UTC -c search_path=leadgate,public -c application_name=leadgate",
        `-c statement_timeout=${options.statementTimeoutMs ?? 15_000}`,
        "-c idle_in_transaction_session_timeout=60000 -c jit=off -c max_parallel_workers_per_gather=0",
      ].join(" "),
    });
    // A connection that dies in use fails its query and emits an error; unhandled, that error would end the process.
    const onError = options.onLostConnection ?? (() => undefined);
    this.pool.on("error", onError);
    this.pool.on("connect", (client) => client.on("error", onError));
    this.#short = { read: new Pipeline(this.pool, send), write: new Pipeline(this.pool, sendAsGroup) };
  }

  /** The same database with separate connections, for work that must not use those of requests. */
  beside(connections: number): Database {
    return new Database(this.url, { connections });
  }

  /** Runs SQL on tables that belong to no project; without a door, project tables are empty. */
  async query<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const result = await this.pool.query(text, [...values]);
    return result.rows as R[];
  }

  /** Runs a few prepared statements in one transaction and one message; returns the rows of the last. See Pipeline. */
  async together<R>(statements: readonly Statement[]): Promise<R[]> {
    const [sent] = this.#short.write.send([statements.map((statement) => this.named(statement))]);
    const { error, results } = await sent;
    if (error !== undefined) throw error;
    return (results.at(-1) ?? []) as R[];
  }

  /** Runs work that only one instance may do at a time, guarded by `lock`; returns false if another one is running it. */
  async alone(lock: number, work: () => Promise<void>): Promise<boolean> {
    const client = await this.pool.connect();
    let broken = true;
    try {
      const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS mine", [lock]);
      const mine = rows[0]?.mine === true;
      if (mine) {
        await work();
        await client.query("SELECT pg_advisory_unlock($1)", [lock]);
      }
      broken = false;
      return mine;
    } finally {
      // A connection that may still hold the lock is closed, which releases it.
      client.release(broken);
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return await this.#transaction([{ text: "BEGIN", values: [] }], () => undefined, work);
  }

  behind(door: Door): ProjectDb {
    const read: Way = (batches) => this.#short.read.send(batches);
    return {
      open: async <R>() => {
        const { error, results } = await this.sendOver(read, [this.named(door.statement)]);
        if (error !== undefined) throw error;
        door.admit(results[0]?.[0]);
        return results[0]?.[0] as R;
      },
      query: async <R>(text: string, values: readonly unknown[] = [], options: QueryOptions = {}) => {
        const { prepare = false, parallel = false, ahead, short } = options;
        const helped = [parallel ? PARALLEL : undefined, ahead]
          .filter((each) => each !== undefined)
          .map((each) => this.named(each));
        const statements = [
          this.named(door.statement),
          ...helped,
          { text, values, name: this.#nameOf(text, prepare) },
        ];
        const { error, results } =
          short === undefined
            ? await this.#byItself(statements)
            : await this.sendOver((batches) => this.#short[short].send(batches), statements);
        if (results.length > 0) door.admit(results[0]?.[0]);
        if (error !== undefined) throw error;
        return (results[1 + helped.length] ?? []) as R[];
      },
      transaction: async (work) =>
        await this.#transaction(
          [{ text: "BEGIN", values: [] }, this.named(door.statement)],
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
      const sent = await this.sendOver(onConnection(client), opening);
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

  /** Sends one message, which is one transaction, over a separate connection. */
  async #byItself(statements: readonly Statement[]): Promise<Sent> {
    const client = await this.pool.connect();
    try {
      return await this.sendOver(onConnection(client), statements);
    } finally {
      client.release();
    }
  }

  /** Sends one message, which is one transaction. A subclass may send another transaction ahead of it. */
  protected async sendOver(way: Way, statements: readonly Statement[]): Promise<Sent> {
    return await way([statements])[0];
  }

  protected named(statement: Statement): Statement {
    return { ...statement, name: this.#nameOf(statement.text, "always") };
  }

  /** A name for each statement text: for the first few hundred, or always. Filters have endless shapes. */
  #nameOf(text: string, prepare: Prepare): string | undefined {
    if (prepare === false) return undefined;
    const known = this.#names.get(text);
    const full = prepare !== "always" && this.#names.size >= PREPARED_SHAPES;
    if (known !== undefined || full) return known;
    const name = `lg_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Sends batches that belong together. */
export type Way = <const C extends StatementBatches>(batches: C) => SentEach<C>;

/** Sends batches over this connection. */
export const onConnection =
  (client: pg.PoolClient): Way =>
  (batches) =>
    send(client, batches);
