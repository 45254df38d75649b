import { closedBy } from "../statements/door.ts";
import type { Row, Statement } from "../wire/statement-batch.ts";
import { Database } from "./database.ts";
import type { Answer, Door, ProjectDb, QueryOptions } from "./project-db.ts";
import type { Transaction } from "./transaction.ts";

/**
 * A database for an operation that is rehearsed: what it does behind its caller's doors happens in one transaction, which
 * the owner rolls back. A statement or a transaction of the operation is a savepoint there, so that it can fail and be
 * repeated as usual. Work must come one after the other. What the service itself does meanwhile, such as noting the use of
 * a filter, is not part of it.
 */
export class RehearsalDatabase extends Database {
  readonly #tx: Transaction;

  constructor(db: Database, tx: Transaction) {
    super(db);
    this.#tx = tx;
  }

  override behind(door: Door, purpose?: Parameters<Database["behind"]>[1]): ProjectDb {
    // The door of the service itself does not say whose it is.
    if (door.who === undefined) return super.behind(door, purpose);
    const tx = this.#tx;
    const asked = (statements: readonly Statement[]) =>
      this.#saved(async () => await this.#pass(door, statements));
    const answer = async (
      text: string,
      values: readonly unknown[],
      options: QueryOptions,
      check?: Statement,
    ) => {
      const { ahead = [], prepare = false } = options;
      return await this.#saved(async (): Promise<Answer<Row, Row>> => {
        await this.#pass(door, ahead);
        const rows = await tx.query<Row>(text, values, { prepare });
        return { rows, checked: check === undefined ? [] : await tx.query<Row>(check.text, check.values) };
      });
    };
    return {
      feedEnd: () => super.behind(door, purpose).feedEnd(),
      open: async <R>() => (await asked([]))[0]?.[0] as R,
      query: async <R>(text: string, values: readonly unknown[] = [], options: QueryOptions = {}) =>
        (await answer(text, values, options)).rows as R[],
      queryAndCheck: async <R, C>(
        text: string,
        values: readonly unknown[],
        check: Statement,
        options: QueryOptions = {},
      ) => (await answer(text, values, options, check)) as Answer<R, C>,
      transaction: async (work, _lane, ahead = []) =>
        await this.#saved(async () => await work(tx, (await this.#pass(door, ahead)).slice(1))),
    };
  }

  /** Passes the door and sends the statements that go with it; returns the rows of each, the door's first. */
  async #pass(door: Door, ahead: readonly Statement[]): Promise<Row[][]> {
    const rows = [await this.#opened(door)];
    for (const { text, values } of ahead) rows.push(await this.#tx.query<Row>(text, values));
    return rows;
  }

  async #opened(door: Door): Promise<Row[]> {
    try {
      const rows = await this.#tx.query<Row>(door.statement.text, door.statement.values);
      door.admit(rows[0]);
      return rows;
    } catch (error) {
      const closed = closedBy(error as Error);
      if (closed !== undefined) door.admit(closed.row);
      throw error;
    }
  }

  /** Runs work in a savepoint, which a failure goes back to. */
  async #saved<T>(work: () => Promise<T>): Promise<T> {
    await this.#tx.query("SAVEPOINT step");
    try {
      const outcome = await work();
      await this.#tx.query("RELEASE step");
      return outcome;
    } catch (error) {
      await this.#tx.query("ROLLBACK TO step");
      await this.#tx.query("RELEASE step");
      throw error;
    }
  }
}
