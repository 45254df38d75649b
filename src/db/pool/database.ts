import { createHash } from "node:crypto";
import pg from "pg";
import { sendAsGroup } from "../wire/group-commit.ts";
import { Pipeline } from "../wire/pipeline.ts";
import { type Chains, PARALLEL, type Sent, type SentEach, send } from "../wire/send.ts";
import type { Row, Statement } from "../wire/statement-batch.ts";

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
  /** Asks the door alone; answers the row it let in. */
  open<R>(): Promise<R>;
  /**
   * One round trip: the door and the statement in one message. `prepare` keeps the plan on the server: of the
   * first few hundred texts, or `always`, for a text that the code holds as it is. `parallel` lets workers help
   * (see PARALLEL); `short` is for a text that reads or writes a few rows by their keys, and shares messages with
   * others of its kind (see Pipeline).
   */
  query<R>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<R[]>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

type Prepare = boolean | "always";

interface QueryOptions {
  prepare?: Prepare;
  parallel?: boolean;
  short?: "read" | "write";
}

const PREPARED_SHAPES = 300;

/** The pool, and the two ways to use it: for everybody's tables, or behind a project's door. */
export class Database {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly #names: Map<string, string>;
  readonly #short: { read: Pipeline; write: Pipeline };

  /** `from` another Database, this one is a second way to use its connections. */
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
    // A connection that dies in use reports to its query and to itself; unheard, the second ends the process.
    const onError = options.onLostConnection ?? (() => undefined);
    this.pool.on("error", onError);
    this.pool.on("connect", (client) => client.on("error", onError));
    this.#short = { read: new Pipeline(this.pool, send), write: new Pipeline(this.pool, sendAsGroup) };
  }

  /** The same database through connections of its own, for work that must not take those of requests. */
  beside(connections: number): Database {
    return new Database(this.url, { connections });
  }

  /** SQL over tables that belong to no project; behind no door, project tables are empty. */
  async query<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const result = await this.pool.query(text, [...values]);
    return result.rows as R[];
  }

  /** A few prepared statements in one transaction, one round trip; answers the rows of the last. See Pipeline. */
  async together<R>(statements: readonly Statement[]): Promise<R[]> {
    const [sent] = this.#short.write.send([statements.map((statement) => this.named(statement))]);
    const { error, results } = await sent;
    if (error !== undefined) throw error;
    return (results.at(-1) ?? []) as R[];
  }

  /** Does work that one instance at a time may do, whoever holds `lock`; false when another one is at it. */
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
      // A connection that may still hold the lock is closed, which lets go of it.
      client.release(broken);
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return await this.#transaction([{ text: "BEGIN", values: [] }], () => undefined, work);
  }

  behind(door: Door): ProjectDb {
    const read: Way = (chains) => this.#short.read.send(chains);
    return {
      open: async <R>() => {
        const { error, results } = await this.sendOver(read, [this.named(door.statement)]);
        if (error !== undefined) throw error;
        door.admit(results[0]?.[0]);
        return results[0]?.[0] as R;
      },
      query: async <R>(text: string, values: readonly unknown[] = [], options: QueryOptions = {}) => {
        const { prepare = false, parallel = false, short } = options;
        const helped = parallel ? [this.named(PARALLEL)] : [];
        const statements = [
          this.named(door.statement),
          ...helped,
          { text, values, name: this.#nameOf(text, prepare) },
        ];
        const { error, results } =
          short === undefined
            ? await this.#byItself(statements)
            : await this.sendOver((chains) => this.#short[short].send(chains), statements);
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

  /** One message and one transaction on a connection of its own. */
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

  /** A name per statement text, for the first few hundred texts or always: filters have endless shapes. */
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

/** A way to the database for chains that belong together. */
export type Way = <const C extends Chains>(chains: C) => SentEach<C>;

/** Sends chains down this connection. */
export const onConnection =
  (client: pg.PoolClient): Way =>
  (chains) =>
    send(client, chains);
