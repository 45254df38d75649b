import pg from "pg";
import type { RawResult, RawRow, Row, Statement } from "../wire/statement-batch.ts";
import { blanked, type Part } from "./parts.ts";

/** The rows of a part, for those behind it: the definitions of its columns, and the rows as JSON. */
interface Carried {
  columns: readonly { name: string; type: string }[];
  json: string;
  isMany: boolean;
}

/** The names of types by their numbers, which differ from database to database. */
export type TypeNames = Map<number, string>;

/** Returns the names of all these types. */
export type NameTypes = (numbers: readonly number[]) => Promise<TypeNames>;

/** A part on its way. */
interface Step {
  /** What is sent next for it. */
  statement: Statement;
  /** Whether it keeps its place among the other writes and locks. */
  inOrder: boolean;
  /** Whether the part is done with it. */
  ends: boolean;
  /** Takes the answer; returns whether the part is done. */
  take(rows: Row[], nameTypes: NameTypes): Promise<boolean>;
}

/**
 * Runs the parts of a statement as statements of their own, in a transaction. It is how Citus runs a write of several parts, but
 * Citus then carries rows between them over all nodes, so that one dead worker would fail the writes of all projects. Here the
 * rows of a part are a parameter of those that read it, so each goes to its project's node alone. All parts whose parameters are
 * known are sent in one message; writes and locks keep their order, and what only reads may come before them, as in one statement,
 * whose parts do not see each other's writes.
 */
export class Steps {
  readonly #values: readonly unknown[];
  readonly #read: ReadonlySet<string>;
  readonly #last: Part | undefined;
  readonly #carried = new Map<string, Carried>();
  /** The parts that are rows of a parameter: what reads one gets the parameter, and they are not sent. */
  readonly #given: ReadonlyMap<string, Part>;
  /** What the SELECT of an INSERT gave. */
  readonly #selected = new Map<Part, readonly RawRow[]>();
  #waiting: readonly Part[];
  #message = new Map<Part, Step>();
  #rows: Row[] = [];

  constructor(parts: readonly Part[], values: readonly unknown[]) {
    this.#values = values;
    this.#read = new Set(parts.flatMap(({ reads }) => reads));
    this.#last = parts.at(-1);
    this.#given = new Map(
      parts.flatMap((part) => (part.rowsOf === undefined || part === this.#last ? [] : [[part.name, part]])),
    );
    this.#waiting = parts.filter(
      (part) =>
        part === this.#last || part.writes || (this.#read.has(part.name) && !this.#given.has(part.name)),
    );
  }

  /** The rows of the last part. */
  get rows(): Row[] {
    return this.#rows;
  }

  /** What can be sent now, in one message; nothing if all is done. */
  next(): Statement[] {
    this.#message = new Map();
    let mayWrite = true;
    for (const part of this.#waiting) {
      const step = this.#stepOf(part);
      if (step !== undefined && (mayWrite || !step.inOrder)) this.#message.set(part, step);
      if (isOrdered(part) && step?.inOrder !== true) mayWrite = false;
    }
    return [...this.#message.values()].map(({ statement }) => statement);
  }

  /** Whether the message that `next` returned is the last. */
  get isLast(): boolean {
    return this.#waiting.every((part) => this.#message.get(part)?.ends === true);
  }

  /** Takes the answers of that message. */
  async take(results: readonly Row[][], nameTypes: NameTypes): Promise<void> {
    const done = new Set<Part>();
    for (const [i, [part, step]] of [...this.#message].entries())
      if (await step.take(results[i] ?? [], nameTypes)) done.add(part);
    this.#waiting = this.#waiting.filter((part) => !done.has(part));
  }

  #stepOf(part: Part): Step | undefined {
    if (part.reads.some((name) => !this.#carried.has(name) && !this.#given.has(name))) return undefined;
    if (part === this.#last) {
      return {
        statement: this.#statement(part, "whole", part.text, part.reads),
        inOrder: isOrdered(part),
        ends: true,
        take: async (rows) => {
          this.#rows = rows;
          return true;
        },
      };
    }
    // From many rows it makes many, which would be carried twice.
    if (part.insert === undefined || part.reads.some((name) => this.#isMany(name))) return this.#whole(part);
    const selected = this.#selected.get(part);
    if (selected === undefined) return this.#selecting(part, part.insert);
    const [only] = selected;
    if (only === undefined || selected.length > 1) return this.#whole(part);
    const { head, tail } = part.insert;
    const places = only.map((_, i) => `$${this.#values.length + i + 1}`).join(", ");
    const inserting = `${head} VALUES (${places}) ${tail}`;
    return this.#writing(part, this.#statement(part, "values", inserting, [], [...this.#values, ...only]));
  }

  #isMany(name: string): boolean {
    const number = this.#given.get(name)?.rowsOf;
    return number === undefined
      ? this.#carried.get(name)?.isMany === true
      : hasMany(JSON.parse(String(this.#values[number - 1])));
  }

  #whole(part: Part): Step {
    return this.#writing(part, this.#statement(part, "whole", part.text, part.reads));
  }

  #writing(part: Part, statement: Statement): Step {
    return {
      statement: { ...statement, raw: true },
      inOrder: isOrdered(part),
      ends: true,
      take: async (rows, nameTypes) => {
        if (this.#read.has(part.name))
          this.#carried.set(part.name, await carry(part, rawOf(rows), nameTypes));
        return true;
      },
    };
  }

  /**
   * Citus plans an INSERT … SELECT for longer than its two halves, and copies its rows; so the SELECT is sent alone, and a single
   * row is inserted with its values. More are left to Citus, which numbers each row of an audit log only then.
   */
  #selecting(part: Part, { select }: NonNullable<Part["insert"]>): Step {
    return {
      statement: { ...this.#statement(part, "select", select, part.reads), raw: true },
      inOrder: false,
      ends: false,
      take: async (answer) => {
        const { rows } = rawOf(answer);
        this.#selected.set(part, rows);
        // Who reads a part needs its columns, also without rows.
        return rows.length === 0 && !this.#read.has(part.name);
      },
    };
  }

  #statement(
    part: Part,
    way: Way,
    text: string,
    reads: readonly string[],
    values: readonly unknown[] = this.#values,
  ): Statement {
    const given = reads.flatMap((name) => this.#given.get(name) ?? []);
    const carried = reads
      .filter((name) => !this.#given.has(name))
      .map((name) => ({ name, ...(this.#carried.get(name) ?? NOTHING) }));
    const { text: whole, places } = standalone(part, way, text, given, carried);
    return {
      text: whole,
      values: [...places.map((n) => values[n - 1]), ...carried.map(({ json }) => json)],
    };
  }
}

const rawOf = ([only]: readonly Row[]): RawResult =>
  (only as RawResult | undefined) ?? { fields: [], rows: [] };

/** Makes rows a parameter. */
async function carry({ columns }: Part, { fields, rows }: RawResult, nameTypes: NameTypes): Promise<Carried> {
  const types = await nameTypes(fields.map(({ dataTypeID }) => dataTypeID));
  const names = fields.map(({ name }, i) => columns?.[i] ?? name);
  const keys = names.map((name) => JSON.stringify(name));
  // A string is read as the type's text, also for arrays and rows; only JSON is itself.
  const isJson = fields.map(({ dataTypeID }) => JSON_TYPES.has(dataTypeID));
  const cells = (row: RawRow) =>
    row.map((value, i) => `${keys[i]}:${value === null || isJson[i] ? value : JSON.stringify(value)}`);
  return {
    columns: fields.map(({ dataTypeID }, i) => ({
      name: `"${(names[i] ?? "").replaceAll('"', '""')}"`,
      type: types.get(dataTypeID) ?? "text",
    })),
    json: `[${rows.map((row) => `{${cells(row).join(",")}}`).join(",")}]`,
    isMany: hasMany(rows),
  };
}

const hasMany = (rows: unknown): boolean => Array.isArray(rows) && rows.length > 1;

/** Reads the names of types that are not known yet, and keeps them. */
export async function typeNamesBy(
  ask: (text: string, values: readonly unknown[]) => Promise<Row[]>,
  known: TypeNames,
  numbers: readonly number[],
): Promise<TypeNames> {
  const unknown = numbers.filter((number) => !known.has(number));
  if (unknown.length === 0) return known;
  const rows = (await ask(TYPES, [unknown])) as { id: number; name: string }[];
  for (const { id, name } of rows) known.set(id, id === VOID ? "text" : name);
  return known;
}

const LOCKS = /\bFOR\s+(?:NO\s+KEY\s+)?UPDATE\b|\bFOR\s+(?:KEY\s+)?SHARE\b|\bpg_(?:try_)?advisory/i;

/** Whether a part keeps its place among the writes. */
const isOrdered = ({ writes, text }: Part): boolean => writes || LOCKS.test(text);

const NOTHING: Carried = { columns: [], json: "[]", isMany: false };
const TYPES =
  "SELECT oid::integer AS id, format_type(oid, NULL) AS name FROM pg_type WHERE oid = ANY ($1::oid[])";
const { JSON: JSON_TYPE, JSONB } = pg.types.builtins;
const JSON_TYPES: ReadonlySet<number> = new Set([JSON_TYPE, JSONB]);
/** What a function returns that returns nothing. */
const VOID = 2278;

/** How a part is sent: as it is, only the SELECT of its INSERT, or with the values of a row. */
type Way = "whole" | "select" | "values";

interface Standalone {
  text: string;
  /** The numbers of the parameters that it has, in their new order; the rows of other parts follow. */
  places: readonly number[];
}

const standalones = new WeakMap<Part, Map<string, Standalone>>();

/** A part as a statement of its own. It is the same for the same columns of the parts that it reads. */
function standalone(
  part: Part,
  way: Way,
  text: string,
  given: readonly Part[],
  carried: readonly ({ name: string } & Carried)[],
): Standalone {
  const sources = carried.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => column.name).join(", "),
    definitions: columns.map((column) => `${column.name} ${column.type}`).join(", ") || "nothing text",
  }));
  const key = [way, ...sources.map(({ definitions }) => definitions)].join("; ");
  const known = standalones.get(part) ?? new Map<string, Standalone>();
  standalones.set(part, known);
  let made = known.get(key);
  if (made === undefined) {
    const places: number[] = [];
    const own = renumbered(text, places);
    // Without NOT, Citus would make it a part of its own.
    const read = [
      ...given.map((each) => `${each.name} AS NOT MATERIALIZED (${renumbered(each.text, places)})`),
      ...sources.map(
        ({ name, columns, definitions }, i) =>
          `${name} AS NOT MATERIALIZED (SELECT ${columns} FROM json_to_recordset($${places.length + i + 1}::json) AS carried (${definitions}))`,
      ),
    ];
    made = { text: withParts(own, read), places };
    known.set(key, made);
  }
  return made;
}

/** Numbers the parameters of a text by their places in `places`, which gets those that it has not. */
function renumbered(text: string, places: number[]): string {
  let own = "";
  let from = 0;
  for (const match of blanked(text).matchAll(/\$(\d+)/g)) {
    const n = Number(match[1]);
    if (!places.includes(n)) places.push(n);
    own += `${text.slice(from, match.index)}$${places.indexOf(n) + 1}`;
    from = match.index + match[0].length;
  }
  return own + text.slice(from);
}

function withParts(text: string, parts: readonly string[]): string {
  if (parts.length === 0) return text;
  const own = /^\s*WITH\s+(?:RECURSIVE\s+)?/i.exec(text)?.[0];
  return own === undefined
    ? `WITH ${parts.join(", ")} ${text}`
    : `${own}${parts.join(", ")}, ${text.slice(own.length)}`;
}
