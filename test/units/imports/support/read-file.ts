import assert from "node:assert/strict";
import { openFile, recordsOf } from "../../../../src/domain/imports/file/open-import-file.ts";
import type {
  Doubts,
  FileChoices,
  FileRecord,
  FileShape,
} from "../../../../src/domain/imports/file/shape/import-file.ts";

/** Some names of columns that a project knows. */
const NAMES = new Set(
  [
    ...["name", "nome", "first name", "last name", "e-mail", "email", "email address", "phone", "telefone"],
    ...["celular", "company", "city", "notes", "street", "title", "url", "lead status"],
  ].map((name) => name.toLowerCase()),
);

export const isKnown = (cell: string): boolean => NAMES.has(cell.toLowerCase());

/** A file that was read: what is known of it, and its records. */
export interface ReadFile {
  shape: FileShape;
  doubts: Doubts;
  records: FileRecord[];
}

export async function* inPieces(content: string | Buffer, size = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Returns all items of a stream. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Reads a file, and asserts that reading it again by its shape gives the same records. */
export async function readFile(
  content: string | Buffer,
  choices: FileChoices = {},
  { known = isKnown, sheet = false }: { known?: (cell: string) => boolean; sheet?: boolean } = {},
): Promise<ReadFile> {
  const opened = await openFile(inPieces(content, 1_000), choices, known, sheet);
  const records = await all(opened.records);
  const shape = sheet ? { ...opened.shape, format: "xlsx" as const } : opened.shape;
  assert.deepEqual(await all(recordsOf(inPieces(content), shape)), records);
  return { shape: opened.shape, doubts: opened.doubts, records };
}
