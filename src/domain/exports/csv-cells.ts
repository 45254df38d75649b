import { LEAD_FIELDS } from "../../contract/lists/lead-fields.ts";
import { csvCell } from "../../core/csv-cell.ts";
import type { Field } from "../fields/lead-field.ts";
import type { StatementScope } from "../filter/sql/statement-scope.ts";

/** How the cells of a column are rewritten; `plain` ones are not. */
export type CellKind = keyof typeof KINDS;

const KINDS = { plain: 0, text: 1, phone: 2, date: 3, boolean: 4, list: 5, phones: 6 };

const [LINE, SPACE, QUOTE, APOSTROPHE, PLUS, COMMA, SEMICOLON] = [10, 32, 34, 39, 43, 44, 59];
const [T, TRUE] = [0x54, 0x74];

/**
 * First characters with which a spreadsheet runs a text as a formula, and the same with the apostrophe that may
 * precede them.
 */
const RUNS = marked("=+-@\t\r");
const MAY_RUN = marked("=+-@\t\r'");
const DIALS = marked("0123456789 ()./-");
/** Characters for which a list needs full parsing: special in an array's syntax or in the cell's. */
const TELLING = marked('"\\;[]');

function marked(characters: string): Uint8Array {
  const marks = new Uint8Array(256);
  for (const character of characters) marks[character.charCodeAt(0)] = 1;
  return marks;
}

/**
 * Rewrites the CSV of COPY, a chunk at a time. Text that a spreadsheet would run gets an apostrophe, and so does
 * text that already had one; phone and other numbers do not. Timestamps become ISO 8601, lists are joined by `;` or
 * written as JSON if entries would be ambiguous. Doing this in PostgreSQL takes four times as long.
 */
export class CsvCells {
  readonly #kinds: Uint8Array;
  readonly #delimiter: number;
  /** The characters that end an unquoted cell. */
  readonly #ends: Uint8Array;
  /** The start of an incomplete row. */
  #begun: Buffer | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #target: Buffer = Buffer.alloc(0);
  #length = 0;
  /** The position of the first byte that is not in the target yet. */
  #from = 0;

  constructor(kinds: readonly CellKind[], delimiter: string) {
    this.#kinds = Uint8Array.from(kinds, (kind) => KINDS[kind]);
    this.#delimiter = delimiter.charCodeAt(0);
    this.#ends = marked(`${delimiter}\n`);
  }

  /** Returns the rows that are complete; the rest of the chunk is kept for the next call. */
  rows(chunk: Buffer): Buffer {
    const bytes = this.#begun === undefined ? chunk : Buffer.concat([this.#begun, chunk]);
    this.#bytes = bytes;
    this.#target = Buffer.allocUnsafe(bytes.length + (bytes.length >> 2) + 1_024);
    this.#length = 0;
    this.#from = 0;
    const kinds = this.#kinds;
    const ends = this.#ends;
    const delimiter = this.#delimiter;
    const last = bytes.lastIndexOf(LINE);
    let row = 0;
    let lengthThere = 0;
    let fromThere = 0;
    let column = 0;
    let at = 0;
    while (at <= last) {
      let byte = bytes[at];
      if (byte !== delimiter && byte !== LINE) {
        let end = at + 1;
        if (byte === QUOTE) end = closing(bytes, at);
        else while (ends[bytes[end] as number] === 0) end += 1;
        if (end > last) break;
        const kind = kinds[column] as number;
        if (kind !== KINDS.plain) this.#cell(kind, at, end);
        at = end;
        byte = bytes[end];
      }
      at += 1;
      if (byte === delimiter) column += 1;
      else {
        column = 0;
        row = at;
        lengthThere = this.#length;
        fromThere = this.#from;
      }
    }
    // drop the output of the incomplete row
    this.#length = lengthThere;
    this.#from = fromThere;
    this.#keep(row);
    this.#begun = row < bytes.length ? bytes.subarray(row) : undefined;
    return this.#target.subarray(0, this.#length);
  }

  #cell(kind: number, at: number, end: number): void {
    const bytes = this.#bytes;
    switch (kind) {
      case KINDS.date: {
        // 2026-01-31 12:00:00.5+00, always in UTC
        const space = placeOf(SPACE, bytes, at, end);
        if (space === end) return;
        this.#keep(space);
        this.#put(T);
        this.#from = space + 1;
        this.#keep(end);
        this.#write(":00");
        return;
      }
      case KINDS.boolean:
        this.#keep(at);
        this.#write(bytes[at] === TRUE ? "true" : "false");
        this.#from = end;
        return;
      case KINDS.list:
      case KINDS.phones:
        this.#keep(at);
        if (!this.#plainList(at, end)) this.#write(this.#listCell(kind, at, end));
        this.#from = end;
        return;
      default: {
        const begin = bytes[at] === QUOTE ? at + 1 : at;
        if (MAY_RUN[bytes[begin] as number] === 0) return;
        if (kind === KINDS.phone && dials(bytes, begin, end)) return;
        if (!runs(bytes, begin, end)) return;
        this.#keep(begin);
        this.#put(APOSTROPHE);
      }
    }
  }

  /** Writes a list such as `{a,b}` whose entries need no quoting; returns false for any other list. */
  #plainList(at: number, end: number): boolean {
    const bytes = this.#bytes;
    const quoted = bytes[at] === QUOTE ? 1 : 0;
    const [begin, close] = [at + quoted + 1, end - quoted - 1];
    if (begin === close) return true;
    if (MAY_RUN[bytes[begin] as number] === 1 || this.#delimiter === SEMICOLON) return false;
    for (let i = begin; i < close; i += 1) if (TELLING[bytes[i] as number] === 1) return false;
    this.#room(close - begin);
    const target = this.#target;
    let to = this.#length;
    for (let i = begin; i < close; i += 1) {
      const byte = bytes[i] as number;
      target[to++] = byte === COMMA ? SEMICOLON : byte;
    }
    this.#length = to;
    return true;
  }

  #listCell(kind: number, at: number, end: number): string {
    const cell = this.#bytes.toString("utf8", at, end);
    const entries = entriesOf(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    const joined = entries.join(";");
    const dialled = kind === KINDS.phones && /^[+0-9 ()./;-]*$/.test(joined);
    const text = entries.some((entry) => /[[\];,]|^"/.test(entry))
      ? JSON.stringify(entries)
      : /^'*[=+@\t\r-]/.test(joined) && !dialled
        ? `'${joined}`
        : joined;
    return csvCell(text, String.fromCharCode(this.#delimiter));
  }

  /** Copies the bytes before `end` unchanged. */
  #keep(end: number): void {
    const size = end - this.#from;
    if (size > 0) {
      this.#room(size);
      this.#bytes.copy(this.#target, this.#length, this.#from, end);
      this.#length += size;
    }
    this.#from = end;
  }

  #put(byte: number): void {
    this.#room(1);
    this.#target[this.#length++] = byte;
  }

  #write(text: string): void {
    this.#room(text.length * 3);
    this.#length += this.#target.write(text, this.#length);
  }

  #room(size: number): void {
    if (this.#length + size <= this.#target.length) return;
    const larger = Buffer.allocUnsafe((this.#length + size) * 2);
    this.#target.copy(larger, 0, 0, this.#length);
    this.#target = larger;
  }
}

/** The position behind the quotation mark that closes the one at `at`; beyond the end if there is none yet. */
function closing(bytes: Buffer, at: number): number {
  for (let mark = bytes.indexOf(QUOTE, at + 1); mark >= 0; mark = bytes.indexOf(QUOTE, mark + 2)) {
    if (bytes[mark + 1] !== QUOTE) return mark + 1;
  }
  return bytes.length;
}

function placeOf(byte: number, bytes: Buffer, begin: number, end: number): number {
  let at = begin;
  while (at < end && bytes[at] !== byte) at += 1;
  return at;
}

function runs(bytes: Buffer, begin: number, end: number): boolean {
  let at = begin;
  while (bytes[at] === APOSTROPHE) at += 1;
  return at < end && RUNS[bytes[at] as number] === 1;
}

/** Whether a cell is an international phone number: `+`, then only digits and separators. */
function dials(bytes: Buffer, begin: number, end: number): boolean {
  if (bytes[begin] !== PLUS) return false;
  for (let at = begin + 1; at < end; at += 1) if (DIALS[bytes[at] as number] === 0) return false;
  return true;
}

/** The entries of an array in PostgreSQL's syntax (its manual, 8.15.6). */
function entriesOf(array: string): string[] {
  const entries: string[] = [];
  for (const [, quoted, plain] of array.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)) {
    if (quoted !== undefined) entries.push(quoted.replaceAll(/\\(.)/gs, "$1"));
    else if (plain !== undefined && plain !== "NULL") entries.push(plain);
  }
  return entries;
}

/** A field's SQL for COPY, and how its cells are rewritten. */
interface CsvColumn {
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
