import type { Submittable } from "pg";
import pg from "pg";

/** A statement with its parameters; `name` asks for a server-side prepared statement. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  name?: string;
}

type Row = Record<string, unknown>;
type Settle = (error: Error | null, results?: Row[][]) => void;

/** What pg's connection offers to a custom query (as pg-cursor and pg-copy-streams use it). */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
  parse(query: { text: string; name: string }): void;
  bind(query: { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown }): void;
  describe(query: { type: "P"; name: "" }): void;
  execute(query: object): void;
  sync(): void;
}

interface RowDescription {
  fields: Array<{ name: string; dataTypeID: number; format: string }>;
}

/** pg gives custom queries the raw wire; its own mapper of values is not in its typings. */
const prepareValue = (pg as unknown as { utils?: { prepareValue?: (value: unknown) => unknown } }).utils?.prepareValue;

/**
 * Several statements in one message with one Sync (PostgreSQL protocol, 55.2.3 and 55.2.4): one round trip
 * and one implicit transaction. The server skips the rest after an error, and a setting made `LOCAL`
 * by the first statement holds for the others and ends with them.
 */
export class StatementChain implements Submittable {
  readonly #statements: readonly Statement[];
  readonly #settle: Settle;
  readonly #results: Row[][] = [];
  readonly #fields: RowDescription["fields"][] = [];
  #parsing: string[] = [];
  #failed = false;

  constructor(statements: readonly Statement[], settle: Settle) {
    this.#statements = statements;
    this.#settle = settle;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    for (const { text, values, name = "" } of this.#statements) {
      if (name === "" || wire.parsedStatements[name] === undefined) {
        wire.parse({ text, name });
        this.#parsing.push(name === "" ? "" : `${name}\0${text}`);
      }
      wire.bind({ statement: name, values, valueMapper: prepareValue ?? plainValue });
      wire.describe({ type: "P", name: "" });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
  }
}
