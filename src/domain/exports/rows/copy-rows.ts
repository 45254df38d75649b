const [LINE, SPACE, PLUS, T] = [10, 32, 43, 0x54];

/**
 * Rewrites the rows of COPY's text format, a chunk at a time. There, a row is a line and its cells are separated by tabs:
 * inside a cell, both are escaped.
 */
export abstract class CopyRows {
  /** What has been written, up to `length`. */
  protected target: Buffer = Buffer.alloc(0);
  protected length = 0;
  /** The start of an incomplete row. */
  #begun: Buffer | undefined;
  #taken = 0;
  #made = 0;

  /** Rewrites the complete rows in `bytes` from `at` to `end`. */
  protected abstract rewrite(bytes: Buffer, at: number, end: number): void;

  /** Returns the rows that are complete; the rest of the chunk is kept for the next call. */
  rows(chunk: Buffer): Buffer {
    const growth = Math.max(1, (1.1 * this.#made) / this.#taken || 1);
    this.target = Buffer.allocUnsafe(Math.ceil(chunk.length * growth) + 4_096);
    this.length = 0;
    let at = 0;
    if (this.#begun !== undefined) {
      at = chunk.indexOf(LINE) + 1;
      const row = Buffer.concat([this.#begun, at === 0 ? chunk : chunk.subarray(0, at)]);
      if (at === 0) {
        this.#begun = row;
        return this.target.subarray(0, 0);
      }
      this.rewrite(row, 0, row.length);
    }
    const end = chunk.lastIndexOf(LINE) + 1;
    if (at < end) this.rewrite(chunk, at, end);
    // a copy, so that the chunk can be freed
    this.#begun = end < chunk.length ? Buffer.from(chunk.subarray(end)) : undefined;
    this.#taken += chunk.length;
    this.#made += this.length;
    return this.target.subarray(0, this.length);
  }

  /** Makes room for `size` more bytes. */
  protected room(size: number): void {
    if (this.length + size <= this.target.length) return;
    const larger = Buffer.allocUnsafe((this.length + size) * 2);
    this.target.copy(larger, 0, 0, this.length);
    this.target = larger;
  }

  protected write(text: string): void {
    this.room(text.length * 3);
    this.length += this.target.write(text, this.length);
  }

  /** Writes these bytes unchanged; there is room for them. */
  protected copy(bytes: Buffer, from: number, end: number): void {
    const target = this.target;
    let to = this.length;
    for (let at = from; at < end; at += 1) target[to++] = bytes[at] as number;
    this.length = to;
  }

  /** Writes a timestamp such as `2026-01-31 12:00:00.5+00`, always in UTC, as ISO 8601; or `infinity`. */
  protected date(bytes: Buffer, from: number, end: number): void {
    const space = placeOf(SPACE, bytes, from, end);
    this.copy(bytes, from, space);
    if (space === end) return;
    const zone = placeOf(PLUS, bytes, space, end) + 3;
    this.target[this.length++] = T;
    this.copy(bytes, space + 1, zone);
    this.write(":00");
    this.copy(bytes, zone, end);
  }
}

function placeOf(byte: number, bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== byte) at += 1;
  return at;
}

const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** A cell without the escapes of COPY. */
export const unescaped = (bytes: Buffer, at: number, end: number): string =>
  bytes.toString("utf8", at, end).replaceAll(/\\(.)/gs, (_, byte: string) => ESCAPES[byte] ?? byte);

/** The entries of an array in PostgreSQL's syntax (its manual, 8.15.6). */
export const arrayEntries = (array: string): (string | null)[] =>
  [...array.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)].map(([, quoted, plain = ""]) =>
    quoted === undefined ? (plain === "NULL" ? null : plain) : quoted.replaceAll(/\\(.)/gs, "$1"),
  );
