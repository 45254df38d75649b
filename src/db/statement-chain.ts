import type pg from "pg";
import type { Submittable } from "pg";
import Result from "pg/lib/result.js";
import { prepareValue } from "pg/lib/utils.js";

/** A statement with its parameters; a `name` asks for a server-side prepared statement. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  name?: string | undefined;
}

export type Row = Record<string, unknown>;

/** What pg's connection offers to custom queries (pg-cursor and pg-copy-streams use the same). */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
  parse(query: { text: string; name: string }): void;
  bind(query: { statement: string; values: readonly unknown[]; valueMapper: unknown }): void;
  describe(query: { type: "P"; name: "" }): void;
  execute(query: object): void;
  sync(): void;
}

/**
 * Several statements in one message with one Sync (PostgreSQL protocol 54.2.3 and 54.2.4): one round
 * trip and one implicit transaction. After an error the server skips the rest; what the first
 * statement sets `LOCAL` holds for the others and ends with them.
 */
export class StatementChain implements Submittable {
  readonly #statements: readonly Statement[];
  readonly #settle: (error: Error | undefined, results: Row[][]) => void;
  readonly #results: Result[] = [];
  readonly #parsing: Statement[] = [];
  #failed = false;

  constructor(
    statements: readonly Statement[],
    settle: (error: Error | undefined, results: Row[][]) => void,
  ) {
    this.#statements = statements;
    this.#settle = settle;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    for (const statement of this.#statements) {
      const { text, values, name = "" } = statement;
      if (name === "" || wire.parsedStatements[name] === undefined) {
        wire.parse({ text, name });
        this.#parsing.push(statement);
      }
      wire.bind({ statement: name, values, valueMapper: prepareValue });
      wire.describe({ type: "P", name: "" });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
    this.#results.push(new Result());
  }

  /** At each ParseComplete pg's client asks the active query for `name`, and for `text` where it has one. */
  get name(): string | undefined {
    return this.#parsing[0]?.name ?? this.#parsing.shift()?.name;
  }

  get text(): string | undefined {
    return this.#parsing.shift()?.text;
  }

  handleRowDescription(message: { fields: Result["fields"] }): void {
    this.#current.addFields(message.fields);
  }

  handleDataRow(message: { fields: unknown[] }): void {
    if (!this.#failed) this.#current.addRow(this.#current.parseRow(message.fields));
  }

  handleCommandComplete(): void {
    this.#results.push(new Result());
  }

  handleError(error: Error): void {
    this.#failed = true;
    this.#settle(error, this.#completed);
  }

  handleReadyForQuery(): void {
    if (!this.#failed) this.#settle(undefined, this.#completed);
  }

  get #completed(): Row[][] {
    return this.#results.slice(0, -1).map((result) => result.rows);
  }

  get #current(): Result {
    const result = this.#results.at(-1);
    if (result === undefined) throw new Error("a row came before its statement was sent");
    return result;
  }
}
