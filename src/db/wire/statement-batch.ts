import type { Submittable } from "pg";
import pg from "pg";
import Result from "pg/lib/result.js";
import { prepareValue } from "pg/lib/utils.js";
import { Recent } from "./recent.ts";

/** A statement with its parameters; with a `name` it is prepared on the server. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  name?: string | undefined;
  /** Its result is one row, a RawResult. */
  raw?: boolean;
}

/** The values of a row as PostgreSQL's texts. */
export type RawRow = (string | null)[];

/** Rows as PostgreSQL sends them, with their columns. */
export interface RawResult {
  fields: Result["fields"];
  rows: RawRow[];
}

export type Row = Record<string, unknown>;

/** The part of pg's connection that custom queries use (as pg-cursor and pg-copy-streams do). */
interface Wire {
  stream: { writable: boolean; write(bytes: Buffer): unknown };
  parsedStatements: Record<string, string>;
  parse(query: { text: string; name: string }): void;
  close(prepared: { type: "S"; name: string }): void;
  bind(query: { statement: string; values: readonly unknown[]; valueMapper: unknown }): void;
  describe(query: { type: "P"; name: "" }): void;
  execute(query: object): void;
  sync(): void;
}

/** How many statements a connection keeps prepared; each keeps some 100 KB of its server process. */
const PREPARED = 200;

/** What is known of a connection's prepared statements. */
interface Prepared {
  /** Their row descriptions by name; the server sends them once, at the first execution. */
  shapes: Map<string, Result>;
  /** Their names. */
  used: Recent<string, true>;
}

const prepared = new WeakMap<object, Prepared>();

function preparedOn(connection: object): Prepared {
  let known = prepared.get(connection);
  if (known === undefined) {
    known = { shapes: new Map(), used: new Recent(Number.POSITIVE_INFINITY) };
    prepared.set(connection, known);
  }
  return known;
}

/** A wire that collects what is written: sending one buffer costs half as much as sending its ten parts. */
function inOnePiece(): { wire: Wire; whole(): Buffer } {
  const parts: Buffer[] = [];
  const stream = { writable: true, write: (bytes: Buffer) => parts.push(bytes) };
  const wire = Object.assign(Object.create(pg.Connection.prototype) as Wire, { stream });
  return { wire, whole: () => Buffer.concat(parts) };
}

/** The next batch of the same message, and how to make the connection wait for its answer. */
interface Behind {
  batch: StatementBatch;
  enqueue(batch: StatementBatch): void;
}

/**
 * Several statements in one message with one Sync (PostgreSQL protocol 54.2.3 and 54.2.4): one round trip and one
 * implicit transaction. After an error the server skips the rest. What the first statement sets `LOCAL` is in effect for
 * the others only.
 */
export class StatementBatch implements Submittable {
  readonly #statements: readonly Statement[];
  readonly #settle: (error: Error | undefined, results: Row[][]) => void;
  /** The rows of each statement so far; the last list may still grow. */
  readonly #results: Row[][] = [];
  /** The row description of the statement whose answer is being read. */
  #shape: Result | undefined;
  #shapes: Map<string, Result> = new Map();
  /** The names that its message prepares. */
  readonly #preparing: string[] = [];
  readonly #behind: Behind | undefined;
  #written = false;
  #failed = false;

  constructor(
    statements: readonly Statement[],
    settle: (error: Error | undefined, results: Row[][]) => void,
    /** The next batch of the same message, with its own transaction. */
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
      for (let batch: StatementBatch | undefined = this; batch !== undefined; batch = batch.#behind?.batch) {
        // A message cannot prepare the same name twice: a batch that shares a name goes in the next message.
        if (batch.#statements.some(({ name }) => name !== undefined && names.has(name))) break;
        batch.#write(message.wire, wire.parsedStatements, preparedOn(connection));
        for (const name of batch.#preparing) names.add(name);
      }
      wire.stream.write(message.whole());
    }
    this.#begin();
  }

  #write(wire: Wire, parsed: Wire["parsedStatements"], { shapes, used }: Prepared): void {
    this.#written = true;
    this.#shapes = shapes;
    for (const { name } of this.#statements) if (name !== undefined) used.set(name, true);
    // First of all, because after an error the server would skip it.
    while (used.size > PREPARED) {
      const name = used.takeOldest();
      if (name === undefined || parsed[name] === undefined) continue;
      wire.close({ type: "S", name });
      delete parsed[name];
      shapes.delete(name);
    }
    for (const statement of this.#statements) {
      const { text, values, name = "" } = statement;
      if (name === "" || parsed[name] === undefined) {
        wire.parse({ text, name });
        if (name !== "") this.#preparing.push(name);
      }
      wire.bind({ statement: name, values, valueMapper: prepareValue });
      if (!shapes.has(name)) wire.describe({ type: "P", name: "" });
      wire.execute({});
    }
    wire.sync();
  }

  /** Waits for the next statement's answer. */
  #begin(): void {
    this.#results.push([]);
    this.#shape = this.#shapes.get(this.name ?? "");
  }

  /** pg's client reads `name` and `text` at each ParseComplete, as often as it likes, to note what is prepared. */
  get name(): string | undefined {
    return this.#awaited?.name;
  }

  get text(): string | undefined {
    return this.#awaited?.text;
  }

  /** The statement whose answer is being read. */
  get #awaited(): Statement | undefined {
    return this.#statements[this.#results.length - 1];
  }

  handleRowDescription(message: { fields: Result["fields"] }): void {
    const shape = new Result();
    shape.addFields(message.fields);
    this.#shape = shape;
    if (this.name !== undefined) this.#shapes.set(this.name, shape);
  }

  handleDataRow(message: { fields: unknown[] }): void {
    if (this.#failed) return;
    if (this.#shape === undefined) throw new Error("a row came before its statement was sent");
    const row = this.#awaited?.raw === true ? message.fields : this.#shape.parseRow(message.fields);
    this.#results.at(-1)?.push(row as Row);
  }

  handleCommandComplete(): void {
    const rows = this.#results.at(-1);
    if (this.#awaited?.raw === true && rows !== undefined) {
      const raw: RawResult = { fields: this.#shape?.fields ?? [], rows: rows as unknown as RawRow[] };
      this.#results.splice(-1, 1, [{ ...raw }]);
    }
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

  /** Only now does the next batch wait for its answer: pg allows one waiting query. A lost connection fails it at once. */
  #follow(): void {
    this.#behind?.enqueue(this.#behind.batch);
  }

  get #completed(): Row[][] {
    return this.#results.slice(0, -1);
  }
}
