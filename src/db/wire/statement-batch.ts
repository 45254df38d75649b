import type { Submittable } from "pg";
import pg from "pg";
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
  stream: { writable: boolean; write(bytes: Buffer): unknown };
  parsedStatements: Record<string, string>;
  parse(query: { text: string; name: string }): void;
  bind(query: { statement: string; values: readonly unknown[]; valueMapper: unknown }): void;
  describe(query: { type: "P"; name: "" }): void;
  execute(query: object): void;
  sync(): void;
}

/** What the rows of a connection's prepared statements look like, by name: told once, at the first execution. */
const shapes = new WeakMap<object, Map<string, Result>>();

function shapesOf(connection: object): Map<string, Result> {
  let known = shapes.get(connection);
  if (known === undefined) {
    known = new Map();
    shapes.set(connection, known);
  }
  return known;
}

/** A wire that keeps what is written: one buffer costs the system half of what its ten parts do. */
function inOnePiece(): { wire: Wire; whole(): Buffer } {
  const parts: Buffer[] = [];
  const stream = { writable: true, write: (bytes: Buffer) => parts.push(bytes) };
  const wire = Object.assign(Object.create(pg.Connection.prototype) as Wire, { stream });
  return { wire, whole: () => Buffer.concat(parts) };
}

/** The chain that goes behind another in its message, and how the connection is told to wait for its answer. */
interface Behind {
  chain: StatementChain;
  enqueue(chain: StatementChain): void;
}

/**
 * Several statements in one message with one Sync (PostgreSQL protocol 54.2.3 and 54.2.4): one round
 * trip and one implicit transaction. After an error the server skips the rest; what the first
 * statement sets `LOCAL` holds for the others and ends with them.
 */
export class StatementChain implements Submittable {
  readonly #statements: readonly Statement[];
  readonly #settle: (error: Error | undefined, results: Row[][]) => void;
  /** The rows of the statements so far; the last ones may still grow. */
  readonly #results: Row[][] = [];
  /** How the rows of the statement look whose answer is being read. */
  #shape: Result | undefined;
  #shapes: Map<string, Result> = new Map();
  readonly #parsing: Statement[] = [];
  readonly #behind: Behind | undefined;
  #written = false;
  #failed = false;

  constructor(
    statements: readonly Statement[],
    settle: (error: Error | undefined, results: Row[][]) => void,
    /** A chain with a transaction of its own that goes in the same message, as may one behind that. */
    behind?: Behind,
  ) {
    this.#statements = statements;
    this.#settle = settle;
    this.#behind = behind;
  }

  submit(connection: pg.Connection): void {
    if (!this.#written) {
      const wire = connection as unknown as Wire;
      const message = inOnePiece();
      const names = new Set<string>();
      for (let chain: StatementChain | undefined = this; chain !== undefined; chain = chain.#behind?.chain) {
        // What this message prepares cannot be prepared in it again: who shares it waits, and goes in the next.
        if (chain.#statements.some(({ name }) => name !== undefined && names.has(name))) break;
        chain.#write(message.wire, wire.parsedStatements, shapesOf(connection));
        for (const { name } of chain.#parsing) if (name !== undefined) names.add(name);
      }
      wire.stream.write(message.whole());
    }
    this.#begin();
  }

  #write(wire: Wire, parsed: Wire["parsedStatements"], shapes: Map<string, Result>): void {
    this.#written = true;
    this.#shapes = shapes;
    for (const statement of this.#statements) {
      const { text, values, name = "" } = statement;
      if (name === "" || parsed[name] === undefined) {
        wire.parse({ text, name });
        this.#parsing.push(statement);
      }
      wire.bind({ statement: name, values, valueMapper: prepareValue });
      if (!shapes.has(name)) wire.describe({ type: "P", name: "" });
      wire.execute({});
    }
    wire.sync();
  }

  /** Awaits the next statement's answer. */
  #begin(): void {
    this.#shape = this.#shapes.get(this.#statements[this.#results.length]?.name ?? "");
    this.#results.push([]);
  }

  /** At each ParseComplete pg's client asks the active query for `name`, and for `text` where it has one. */
  get name(): string | undefined {
    return this.#parsing[0]?.name ?? this.#parsing.shift()?.name;
  }

  get text(): string | undefined {
    return this.#parsing.shift()?.text;
  }

  handleRowDescription(message: { fields: Result["fields"] }): void {
    const shape = new Result();
    shape.addFields(message.fields);
    this.#shape = shape;
    const name = this.#statements[this.#results.length - 1]?.name;
    if (name !== undefined) this.#shapes.set(name, shape);
  }

  handleDataRow(message: { fields: unknown[] }): void {
    if (this.#failed) return;
    if (this.#shape === undefined) throw new Error("a row came before its statement was sent");
    this.#results.at(-1)?.push(this.#shape.parseRow(message.fields));
  }

  handleCommandComplete(): void {
    this.#begin();
  }

  handleError(error: Error): void {
    this.#failed = true;
    this.#settle(error, this.#completed);
    this.#follow();
  }

  handleReadyForQuery(): void {
    if (this.#failed) return;
    this.#settle(undefined, this.#completed);
    this.#follow();
  }

  /** The one behind awaits its answer only now: pg minds a second that waits. A lost connection tells it at once. */
  #follow(): void {
    this.#behind?.enqueue(this.#behind.chain);
  }

  get #completed(): Row[][] {
    return this.#results.slice(0, -1);
  }
}
