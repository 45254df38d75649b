import { jsonFormat, jsonRecords } from "./json/json-records.ts";
import { ndjsonRecords } from "./json/ndjson-records.ts";
import type { Doubts, FileChoices, FileRecord, FileShape, OpenedFile } from "./shape/import-file.ts";
import { tableBytes } from "./shape/refuse-foreign.ts";
import { isBlank } from "./table/cell-looks.ts";
import { csvRecords } from "./table/csv-records.ts";
import { delimiterIn, isStart, startOf } from "./table/csv-start.ts";
import { heldRows } from "./table/find-footer.ts";
import { empty, openTable, type Table } from "./table/open-table.ts";
import { withoutReasons } from "./table/reason-columns.ts";
import { decodeText } from "./text/decode-text.ts";

/** An opened file. Its doubts, like its shape, are complete only after all records were read. */
export interface OpenedImport extends OpenedFile {
  doubts: Doubts;
}

type Found = Awaited<ReturnType<typeof decodeText>>["found"];

/**
 * Opens a file of unknown shape. The encoding, the columns of JSON and the last row are final only after all records
 * were read; `shape` and `doubts` are updated until then. The rows of a `sheet` are numbered as there.
 */
export async function openFile(
  bytes: AsyncIterable<Buffer | string>,
  choices: FileChoices = {},
  isKnown: (cell: string) => boolean = () => false,
  sheet = false,
): Promise<OpenedImport> {
  const { text, found } = await decodeText(tableBytes(bytes), choices.encoding, isKnown);
  const start = await startOf(text);
  const format = choices.format ?? jsonFormat(start) ?? "csv";
  const all = rejoin(start, text);
  const { encoding, bom } = found;
  if (format === "csv" || format === "xlsx") {
    const delimiter = choices.delimiter ?? delimiterIn(start, choices, isKnown);
    const table = await openTable(csvRecords(all, delimiter, sheet), delimiter, choices, { isKnown, sheet });
    const shape: FileShape = { format, encoding, bom, delimiter, ...table.shape };
    return { shape, doubts: table.doubts, records: rowsOf(table, shape, choices, found) };
  }
  if (start.trim() === "") throw empty();
  const whole = choices.whole ? ({ whole: true } as const) : {};
  const shape: FileShape = { format, encoding, bom, delimiter: null, headerRow: null, header: [], ...whole };
  const read = format === "json" ? jsonRecords : ndjsonRecords;
  const doubts: Doubts = {};
  return { shape, doubts, records: tracking(read(all, shape.header, choices.whole), shape, doubts, found) };
}

/**
 * Yields the records of a file of known shape, without the header and what is above it, unless that is asked for: rows down to the
 * line of the header are no records.
 */
export async function* recordsOf(
  bytes: AsyncIterable<Buffer | string>,
  shape: FileShape,
  above = false,
): AsyncGenerator<FileRecord> {
  const { format, encoding, headerRow, header, whole } = shape;
  const { text } = await decodeText(bytes, encoding);
  if (format === "ndjson" || format === "json") {
    yield* (format === "json" ? jsonRecords : ndjsonRecords)(text, [...header], whole);
    return;
  }
  const delimiter = shape.delimiter ?? ",";
  let begun = false;
  for await (const record of csvRecords(text, delimiter, format === "xlsx")) {
    begun ||= headerRow === null ? isStart(record, delimiter) : record.line > headerRow;
    if (begun) yield rowOf(record, shape);
    else if (above && headerRow !== null) yield { ...record, left: true };
  }
}

/** A row as it was where it failed, if the file is one of failed rows. What is below the last row, and the header again, is left out. */
function rowOf(record: FileRecord, { reasons, header, headerRow, lastRow }: FileShape): FileRecord {
  const row = reasons ? withoutReasons(record, header) : record;
  const isBelow = lastRow !== undefined && row.line > lastRow && !isBlank(row);
  return isBelow || (headerRow !== null && isHeaderAgain(row, header)) ? { ...row, left: true } : row;
}

/** Whether a row repeats the names of the columns, as some programs do for each group or page. */
const isHeaderAgain = ({ cells }: FileRecord, header: readonly string[]): boolean =>
  header.length > 1 &&
  cells[0] !== undefined &&
  cells[0].trim() === header[0] &&
  header.every((name, i) => (cells[i] ?? "").trim() === name);

/** Yields the rows of a table; those at its end that are totals or remarks are left out, unless they are wanted. */
async function* rowsOf(
  { first, rest, doubts }: Table,
  shape: FileShape,
  { footer }: FileChoices,
  found: Found,
): AsyncGenerator<FileRecord> {
  const held = heldRows(shape.header.length, shape.headerRow ?? 0);
  for (const record of first) {
    const row = held.take(record);
    if (row !== undefined) yield rowOf(row, shape);
  }
  for await (const record of rest) {
    const row = held.take(record);
    if (row !== undefined) yield rowOf(row, shape);
  }
  const end = held.end();
  if (end.footer !== undefined && !shape.reasons) {
    doubts.footer = end.footer.rows;
    if (footer !== false) shape.lastRow = end.footer.lastRow;
  }
  for (const row of end.records) yield rowOf(row, shape);
  settle(shape, doubts, found);
}

async function* tracking(
  records: AsyncIterable<FileRecord>,
  shape: FileShape,
  doubts: Doubts,
  found: Found,
): AsyncGenerator<FileRecord> {
  yield* records;
  settle(shape, doubts, found);
}

/** Stores what is known of the encoding now that all of the text was read. */
function settle(shape: FileShape, doubts: Doubts, found: Found): void {
  shape.encoding = found.encoding;
  if (found.encodings !== undefined) doubts.encodings = found.encodings;
}

async function* rejoin(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (start !== "") yield start;
  yield* rest;
}
