import { LEAD_FIELDS } from "../../../contract/lists/lead-fields.ts";
import { csvCell } from "../../../core/csv-cell.ts";
import type { Field } from "../../fields/lead-field.ts";
import type { StatementScope } from "../../filter/sql/statement-scope.ts";
import { arrayEntries, CopyRows, unescaped } from "./copy-rows.ts";

/** How the cells of a column are rewritten; `plain` ones are only quoted. */
type CellKind = keyof typeof KINDS;

const KINDS = { plain: 0, text: 1, phone: 2, date: 3, boolean: 4, list: 5, phones: 6 };

const [TAB, LINE, COMMA, SEMICOLON] = [9, 10, 44, 59];
const [N, BACKSLASH, TRUE] = [0x4e, 0x5c, 0x74];

/** First characters with which a spreadsheet runs a text as a formula, as COPY writes them, and what may precede them. */
const MAY_RUN = marked("=+-@'\\");
const RUNS = /^'*[=+@\t\r-]/;
const DIALS = /^\+[0-9 ()./-]*$/;
/** Characters for which a list needs full parsing: special in an array's syntax or in the cell's. */
const TELLING = marked('"\\;[]');

function marked(characters: string): Uint8Array {
  const marks = new Uint8Array(256);
  for (const character of characters) marks[character.charCodeAt(0)] = 1;
  return marks;
}

/**
 * Writes rows as CSV (RFC 4180). Text that a spreadsheet would run gets an apostrophe, and so does text that already had
 * one; phone and other numbers do not. Timestamps become ISO 8601, lists are joined by `;` or written as JSON if entries
 * would be ambiguous. NULL is an empty cell, an empty string is `""`. Doing this in PostgreSQL takes four times as long.
 */
export class CsvCells extends CopyRows {
  readonly #kinds: Uint8Array;
  readonly #delimiter: number;
  /** The characters that end a cell, or for which it needs quotation marks or was escaped. */
  readonly #marks: Uint8Array;

  constructor(columns: readonly CsvColumn[], delimiter: string) {
    super();
    this.#kinds = Uint8Array.from(columns, ({ kind }) => KINDS[kind]);
    this.#delimiter = delimiter.charCodeAt(0);
    this.#marks = marked(`\t\n\\"${delimiter}`);
  }

  protected override rewrite(bytes: Buffer, from: number, end: number): void {
    const kinds = this.#kinds;
    const delimiter = this.#delimiter;
    let column = 0;
    let at = from;
    while (at < end) {
      this.room(end - at + 16);
      if (bytes[at] === BACKSLASH && bytes[at + 1] === N) at += 2;
      else at = this.#cell(kinds[column] as number, bytes, at);
      this.room(1);
      if (bytes[at] === TAB) {
        this.target[this.length++] = delimiter;
        column += 1;
      } else {
        this.target[this.length++] = LINE;
        column = 0;
      }
      at += 1;
    }
  }

  /** Writes a cell; returns where it ends. */
  #cell(kind: number, bytes: Buffer, from: number): number {
    const marks = this.#marks;
    const { target, length } = this;
    let to = length;
    let at = from;
    // plain and copied meanwhile, if nothing is found that makes it another kind of cell
    for (; marks[bytes[at] as number] === 0; at += 1) target[to++] = bytes[at] as number;
    const ended = bytes[at] === TAB || bytes[at] === LINE;
    const runs =
      kind === KINDS.text || kind === KINDS.phone
        ? MAY_RUN[bytes[from] as number] === 1
        : kind !== KINDS.plain;
    if (ended && !runs && at > from) {
      this.length = to;
      return at;
    }
    while (bytes[at] !== TAB && bytes[at] !== LINE) at += 1;
    this.#other(kind, bytes, from, at);
    return at;
  }

  #other(kind: number, bytes: Buffer, at: number, end: number): void {
    switch (kind) {
      case KINDS.date:
        this.date(bytes, at, end);
        return;
      case KINDS.boolean:
        this.write(bytes[at] === TRUE ? "true" : "false");
        return;
      case KINDS.list:
      case KINDS.phones:
        if (!this.#plainList(bytes, at, end)) this.write(this.#listCell(kind, unescaped(bytes, at, end)));
        return;
      default: {
        const text = unescaped(bytes, at, end);
        const runs = kind !== KINDS.plain && RUNS.test(text) && !(kind === KINDS.phone && DIALS.test(text));
        // A line with nothing but `\.` would end the file for a COPY of PostgreSQL.
        if (text === "" || (text === "\\." && this.#kinds.length === 1)) this.write(`"${text}"`);
        else this.write(csvCell(runs ? `'${text}` : text, String.fromCharCode(this.#delimiter)));
      }
    }
  }

  /** Writes a list such as `{a,b}` whose entries need no quoting; returns false for any other list. */
  #plainList(bytes: Buffer, at: number, end: number): boolean {
    const [begin, close] = [at + 1, end - 1];
    if (begin === close) return true;
    if (MAY_RUN[bytes[begin] as number] === 1 || this.#delimiter === SEMICOLON) return false;
    for (let i = begin; i < close; i += 1) if (TELLING[bytes[i] as number] === 1) return false;
    const target = this.target;
    let to = this.length;
    for (let i = begin; i < close; i += 1) {
      const byte = bytes[i] as number;
      target[to++] = byte === COMMA ? SEMICOLON : byte;
    }
    this.length = to;
    return true;
  }

  #listCell(kind: number, array: string): string {
    const entries = arrayEntries(array).filter((entry) => entry !== null);
    const joined = entries.join(";");
    const dialled = kind === KINDS.phones && /^[+0-9 ()./;-]*$/.test(joined);
    const text = entries.some((entry) => /[[\];,]|^"/.test(entry))
      ? JSON.stringify(entries)
      : RUNS.test(joined) && !dialled
        ? `'${joined}`
        : joined;
    return csvCell(text, String.fromCharCode(this.#delimiter));
  }
}

/** A field's SQL for COPY, and how its cells are rewritten. */
export interface CsvColumn {
  sql: string;
  kind: CellKind;
}

/** Ids that the service generates or normalizes, so a spreadsheet cannot run them. */
const PLAIN: ReadonlySet<string> = new Set(
  LEAD_FIELDS.filter(({ type, input }) => type === "id" && input !== "text").map(({ name }) => name),
);

/** A lead's field as a column of a CSV. */
export function csvColumn(field: Field, scope: StatementScope): CsvColumn {
  const sql = scope.text(field);
  if (field.key !== undefined) return customColumn(field, sql, scope);
  if (PLAIN.has(field.name) || field.type === "number") return { sql, kind: "plain" };
  switch (field.type) {
    case "object":
      return { sql: `nullif(${sql}, '{}')::text`, kind: "plain" };
    case "tags":
      return { sql, kind: field.name === "phones" ? "phones" : "list" };
    case "boolean":
    case "date":
    case "phone":
      return { sql, kind: field.type };
    default:
      return { sql, kind: "text" };
  }
}

/** A custom field's value, as stored. In a number field, a value that is not a number is escaped like text. */
function customColumn(field: Field, sql: string, { parameters }: StatementScope): CsvColumn {
  if (field.type !== "number") return { sql, kind: field.type === "phone" ? "phone" : "text" };
  // the JSON type reveals values that are still text because the field became a number later
  const type = `jsonb_typeof(custom -> ${parameters.text(field.key ?? "")})`;
  const runs = `ascii(${sql}) IN (61,43,45,64,9,13,39) AND ${type} <> 'number' AND ${sql} ~ '^''*[=+@\\t\\r-]'`;
  return { sql: `CASE WHEN ${runs} THEN '''' || ${sql} ELSE ${sql} END`, kind: "plain" };
}
