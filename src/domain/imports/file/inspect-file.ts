import { eventLoopYielder } from "../../values/event-loop.ts";
import { type ColumnProfile, ColumnWatch } from "./column-profile.ts";
import { openFile } from "./open-import-file.ts";
import { filledBit, type RowKind, RowWatch } from "./row-watch.ts";
import { choicesFor, type Doubts, type FileChoices, type FileShape } from "./shape/import-file.ts";
import { sheetAsCsv } from "./sheet/sheet-as-csv.ts";
import type { FoundSheets } from "./sheet/sheet-names.ts";

/** The result of inspecting a file: its shape, what may be wrong, the number of records, and a profile of each column. */
export interface Inspection {
  shape: FileShape;
  doubts: Doubts;
  records: number;
  columns: ColumnProfile[];
  /** The kinds of rows by their filled columns; undefined if there are too many to tell. */
  kinds: RowKind[] | undefined;
}

/**
 * Inspects a file in one pass, holding few records at a time; refuses a file that cannot be read. `isKnown` returns
 * whether a cell is a known name of a column. The rows of a `sheet` are numbered as there.
 */
export async function inspectFile(
  bytes: AsyncIterable<Buffer | string>,
  choices: FileChoices = {},
  isKnown: (cell: string) => boolean = () => false,
  sheet = false,
): Promise<Inspection> {
  const { shape, doubts, records } = await openFile(bytes, choices, isKnown, sheet);
  const watches: ColumnWatch[] = [];
  const yieldIfDue = eventLoopYielder();
  const rows = new RowWatch();
  let count = 0;
  for await (const { cells, fault, left } of records) {
    count += 1;
    const isRow = fault === undefined && left === undefined;
    let filled = 0;
    for (let i = 0; isRow && i < cells.length && i < shape.header.length; i += 1) {
      watches[i] ??= new ColumnWatch();
      if (watches[i]?.see(cells[i] ?? "") === true) filled += filledBit(i);
    }
    if (isRow) rows.see(filled);
    await yieldIfDue();
  }
  const columns = shape.header.map((name, i) => (watches[i] ?? new ColumnWatch()).profile(name));
  return { shape, doubts, records: count, columns, kinds: rows.kinds() };
}

/** The first bytes of a ZIP archive, as spreadsheets are. */
const ARCHIVE = Buffer.from("PK\x03\x04", "latin1");

/** Returns whether bytes start like a spreadsheet, and all of the bytes again. */
export async function beginning(
  bytes: AsyncIterable<Buffer>,
): Promise<{ isArchive: boolean; bytes: AsyncGenerator<Buffer> }> {
  const chunks = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < ARCHIVE.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return { isArchive: head.subarray(0, ARCHIVE.length).equals(ARCHIVE), bytes: joined(head, chunks) };
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

interface Content {
  sheet: boolean;
  whole: boolean;
  /** Whether a cell is a known name of a column. */
  isKnown?(cell: string): boolean;
  /** Receives the text that will be read again: of a spreadsheet, the sheet as CSV. */
  through?(text: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
}

/** Inspects a file; of a spreadsheet, one sheet as CSV. */
export async function inspectContent(
  bytes: AsyncIterable<Buffer>,
  choices: FileChoices,
  { sheet, whole, isKnown, through = (text) => text }: Content,
): Promise<Inspection> {
  let sheets: Partial<FoundSheets> = {};
  const text = sheet
    ? sheetAsCsv(bytes, choices.sheet, (all) => {
        sheets = all;
      })
    : bytes;
  const found = await inspectFile(through(text), choicesFor(choices, { sheet, whole }), isKnown, sheet);
  if (sheet) Object.assign(found.shape, { format: "xlsx", ...sheets });
  return found;
}
