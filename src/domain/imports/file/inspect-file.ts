import { eventLoopYielder } from "../../values/event-loop.ts";
import { type ColumnProfile, ColumnWatch } from "./column-profile.ts";
import { frugalHeap } from "./frugal-heap.ts";
import { choicesFor, type FileChoices, type FileShape } from "./import-file.ts";
import { openFile } from "./open-import-file.ts";
import { sheetAsCsv } from "./sheet-as-csv.ts";
import type { FoundSheets } from "./sheet-names.ts";

/** What a file is: how it is read, how many records it has, and what each column looks like. */
export interface Inspection {
  shape: FileShape;
  records: number;
  columns: ColumnProfile[];
}

/** Reads a whole file once; a Refusal says what is wrong with it. Holds a record at a time. */
export async function inspectFile(
  bytes: AsyncIterable<Buffer | string>,
  choices: FileChoices = {},
): Promise<Inspection> {
  const { shape, records } = await openFile(bytes, choices);
  const watches: ColumnWatch[] = [];
  using heap = frugalHeap();
  const yieldIfDue = eventLoopYielder();
  let count = 0;
  for await (const { cells, fault } of records) {
    if (count % 1_000 === 0) heap.mind();
    count += 1;
    for (let i = 0; fault === undefined && i < cells.length && i < shape.header.length; i += 1) {
      watches[i] ??= new ColumnWatch();
      watches[i]?.see(cells[i] ?? "");
    }
    await yieldIfDue();
  }
  const columns = shape.header.map((name, i) => (watches[i] ?? new ColumnWatch()).profile(name));
  return { shape, records: count, columns };
}

/** How an archive of the kind that spreadsheets are begins. */
const ARCHIVE = Buffer.from("PK\x03\x04", "latin1");

/** Whether bytes begin as spreadsheets do, whatever their sender calls them, and all of the bytes again. */
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
  /** Sees the text as it is to be read again: of a spreadsheet, its sheet as CSV. */
  through?(text: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
}

/** Finds out what a file is; a spreadsheet is read as the CSV of one of its sheets. */
export async function inspectContent(
  bytes: AsyncIterable<Buffer>,
  choices: FileChoices,
  { sheet, whole, through = (text) => text }: Content,
): Promise<Inspection> {
  let sheets: Partial<FoundSheets> = {};
  const text = sheet
    ? sheetAsCsv(bytes, choices.sheet, (all) => {
        sheets = all;
      })
    : bytes;
  const found = await inspectFile(through(text), choicesFor(choices, { sheet, whole }));
  if (sheet) Object.assign(found.shape, { format: "xlsx", ...sheets });
  return found;
}
