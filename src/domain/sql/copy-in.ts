import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { Transaction } from "../../db/pool/database.ts";

/** A cell for COPY: null, a plain value, or a string. */
export type CopyCell = string | number | boolean | null;

const CHUNK = 65_536;

/** Copies rows, encoded by `copyChunks`, into a table, with backpressure. */
export async function copyIn(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  chunks: Iterable<Buffer>,
): Promise<void> {
  const text = `COPY ${table} (${columns.join(", ")}) FROM STDIN`;
  const record = tx.record(text);
  const target = tx.connection.query(copyFrom(text));
  try {
    await pipeline(Readable.from(chunks), target);
    record?.end(0);
  } catch (error) {
    record?.end(0, error);
    throw error;
  }
}

/** Encodes rows in COPY's text format, in chunks. */
export function* copyChunks(rows: Iterable<readonly CopyCell[]>): Generator<Buffer> {
  let text = "";
  for (const row of rows) {
    text += `${row.map(copyText).join("\t")}\n`;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}

/** Encodes a cell in COPY's text format. */
function copyText(cell: CopyCell): string {
  if (cell === null) return "\\N";
  if (typeof cell !== "string") return String(cell);
  return /[\\\t\n\r]/.test(cell) ? cell.replace(/[\\\t\n\r]/g, escapeOf) : cell;
}

function escapeOf(character: string): string {
  if (character === "\t") return "\\t";
  if (character === "\n") return "\\n";
  return character === "\r" ? "\\r" : "\\\\";
}

/** Encodes a list as a PostgreSQL array. */
export function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}
