import type { Field } from "../../fields/lead-field.ts";
import { arrayEntries, CopyRows, unescaped } from "./copy-rows.ts";

const [TAB, LINE, SPACE, QUOTE, COMMA, MINUS, NINE] = [9, 10, 32, 34, 44, 45, 0x39];
const [N, U, BACKSLASH, TRUE, V] = [0x4e, 0x55, 0x5c, 0x74, 0x76];
/** The longest escape, `\u0001`. */
const ESCAPE = 6;

const KINDS = { text: 0, number: 1, boolean: 2, date: 3, list: 4, json: 5 };

/** How a column becomes JSON. */
type JsonKind = keyof typeof KINDS;

/** A column of a JSON file: its name, its SQL for COPY, and how its cells become JSON. */
export interface JsonColumn {
  name: string;
  sql: string;
  kind: JsonKind;
}

/** Bytes that mean themselves in COPY's text format and in a JSON string. */
const SAME = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH ? 0 : 1,
);

/**
 * Writes each row as a line of JSON, byte for byte what PostgreSQL's row_to_json writes, which takes more than twice as
 * long as COPY does.
 */
export class JsonLines extends CopyRows {
  readonly #kinds: Uint8Array;
  /** What precedes the value of each column. */
  readonly #heads: Buffer[];
  readonly #nulls: Buffer[];
  readonly #most: number;

  /** `between` precedes each row. */
  constructor(columns: readonly JsonColumn[], between: string) {
    super();
    this.#kinds = Uint8Array.from(columns, ({ kind }) => KINDS[kind]);
    const heads = columns.map(({ name }, i) => `${i === 0 ? `${between}{` : ","}${JSON.stringify(name)}:`);
    this.#heads = heads.map((head) => Buffer.from(head));
    this.#nulls = heads.map((head) => Buffer.from(`${head}null`));
    this.#most = Math.max(...this.#nulls.map(({ length }) => length)) + 2 * ESCAPE;
  }

  protected override rewrite(bytes: Buffer, from: number, end: number): void {
    const kinds = this.#kinds;
    let column = 0;
    let at = from;
    while (at < end) {
      // for the head, and for the rest of the chunk unchanged
      this.room(end - at + this.#most);
      if (bytes[at] === BACKSLASH && bytes[at + 1] === N) {
        this.#put(this.#nulls[column] as Buffer);
        at += 2;
      } else {
        this.#put(this.#heads[column] as Buffer);
        const kind = kinds[column] as number;
        if (kind === KINDS.text) at = this.#text(bytes, at, end);
        else {
          const close = endOf(bytes, at);
          this.#cell(kind, bytes, at, close);
          at = close;
        }
      }
      if (bytes[at] === TAB) column += 1;
      else {
        this.room(2);
        this.target[this.length++] = 0x7d;
        this.target[this.length++] = LINE;
        column = 0;
      }
      at += 1;
    }
  }

  #put(piece: Buffer): void {
    const target = this.target;
    let to = this.length;
    for (let i = 0; i < piece.length; i += 1) target[to++] = piece[i] as number;
    this.length = to;
  }

  /** Writes a string, whose escapes are mostly the same in both formats; returns where the cell ends. */
  #text(bytes: Buffer, from: number, end: number): number {
    let target = this.target;
    let to = this.length;
    let at = from;
    target[to++] = QUOTE;
    for (;;) {
      const byte = bytes[at] as number;
      if (SAME[byte] === 1) {
        target[to++] = byte;
        at += 1;
        continue;
      }
      if (byte === TAB || byte === LINE) break;
      this.length = to;
      this.room(end - at + this.#most);
      target = this.target;
      at = this.#escape(bytes, at);
      to = this.length;
    }
    target[to++] = QUOTE;
    this.length = to;
    return at;
  }

  #escape(bytes: Buffer, at: number): number {
    const byte = bytes[at] as number;
    const next = bytes[at + 1] as number;
    if (byte === BACKSLASH && next !== V) {
      this.target[this.length++] = BACKSLASH;
      this.target[this.length++] = next;
      return at + 2;
    }
    if (byte === QUOTE) {
      this.target[this.length++] = BACKSLASH;
      this.target[this.length++] = QUOTE;
      return at + 1;
    }
    const [code, size] = byte === BACKSLASH ? [11, 2] : [byte, 1];
    this.write(`\\u${code.toString(16).padStart(4, "0")}`);
    return at + size;
  }

  #cell(kind: number, bytes: Buffer, at: number, end: number): void {
    switch (kind) {
      case KINDS.boolean:
        this.write(bytes[at] === TRUE ? "true" : "false");
        return;
      case KINDS.date:
        this.target[this.length++] = QUOTE;
        this.date(bytes, at, end);
        this.target[this.length++] = QUOTE;
        return;
      case KINDS.list:
        if (!this.#plainList(bytes, at, end))
          this.write(JSON.stringify(arrayEntries(unescaped(bytes, at, end))));
        return;
      case KINDS.json:
        if (hasEscapes(bytes, at, end)) this.write(unescaped(bytes, at, end));
        else this.copy(bytes, at, end);
        return;
      default:
        // NaN and Infinity are not numbers of JSON
        if ((bytes[bytes[at] === MINUS ? at + 1 : at] as number) <= NINE) this.copy(bytes, at, end);
        else this.write(`"${bytes.toString("latin1", at, end)}"`);
    }
  }

  /** Writes a list such as `{a,b}` whose entries need no escapes; returns false for any other list. */
  #plainList(bytes: Buffer, from: number, end: number): boolean {
    for (let at = from; at < end; at += 1) {
      if (SAME[bytes[at] as number] === 0) return false;
      if (bytes[at] === N && bytes[at + 1] === U) return false;
    }
    this.room((end - from) * 3 + this.#most);
    const target = this.target;
    let to = this.length;
    target[to++] = 0x5b;
    if (end - from > 2) {
      target[to++] = QUOTE;
      for (let at = from + 1; at < end - 1; at += 1) {
        const byte = bytes[at] as number;
        if (byte === COMMA) target[to++] = QUOTE;
        target[to++] = byte;
        if (byte === COMMA) target[to++] = QUOTE;
      }
      target[to++] = QUOTE;
    }
    target[to++] = 0x5d;
    this.length = to;
    return true;
  }
}

function endOf(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] !== TAB && bytes[at] !== LINE) at += 1;
  return at;
}

function hasEscapes(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if (bytes[at] === BACKSLASH) return true;
  return false;
}

/** A lead's field as a column of a JSON file. */
export function jsonColumn({ name, type, column }: Field): JsonColumn {
  switch (type) {
    case "number":
    case "boolean":
    case "date":
      return { name, sql: column, kind: type };
    case "tags":
      return { name, sql: column, kind: "list" };
    case "object":
      return { name, sql: column, kind: "json" };
    default:
      return { name, sql: column, kind: "text" };
  }
}
