import { Refusal } from "../../core/refusal.ts";
import { csvRecords } from "./csv-records.ts";
import { type DecodedText, decodeText } from "./decode-text.ts";
import { detectDelimiter, endOfHeader } from "./detect-delimiter.ts";
import {
  columnNames,
  type FileChoices,
  type FileRecord,
  type FileShape,
  MOST_CHARACTERS,
  MOST_COLUMNS,
  type OpenedFile,
} from "./import-file.ts";
import { ndjsonRecords } from "./ndjson-records.ts";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * Opens a file whose shape is not known yet. Encoding and the columns of NDJSON are sure only when all records were
 * read: the shape is the same object until then.
 */
export async function openFile(
  bytes: AsyncIterable<Buffer | string>,
  choices: FileChoices = {},
): Promise<OpenedFile> {
  const decoded = await decodeText(bytes, choices.encoding);
  const { found } = decoded;
  const start = await startOf(decoded);
  const format = choices.format ?? (/^\s*\{/.test(start) ? "ndjson" : "csv");
  const text = rejoin(start, decoded.text);
  const common = { format, ...found };
  if (format === "ndjson") {
    if (start.trim() === "") throw empty();
    const shape: FileShape = {
      ...common,
      delimiter: null,
      headerRow: null,
      header: [],
      ...(choices.whole && { whole: true }),
    };
    return { shape, records: tracking(ndjsonRecords(text, shape.header, choices.whole), shape, found) };
  }
  const end = endOfHeader(start);
  const delimiter = choices.delimiter ?? detectDelimiter(end < 0 ? start : start.slice(0, end));
  const records = csvRecords(text, delimiter);
  const first = await records.next();
  if (first.done === true) throw empty();
  const { cells } = first.value;
  if (cells.length > MOST_COLUMNS)
    throw new Refusal(
      "unprocessable",
      "too_many_columns",
      `The file has more than ${MOST_COLUMNS} columns; is its delimiter right?`,
    );
  const named = choices.header ?? !cells.some((cell) => EMAIL.test(cell.trim()));
  const shape: FileShape = {
    ...common,
    delimiter,
    headerRow: named ? 1 : null,
    header: columnNames(named ? cells : cells.map(() => "")),
  };
  const all = named ? records : putBack(first.value, records);
  return { shape, records: tracking(all, shape, found) };
}

/** Reads a file whose shape is known, all records without the one that names the columns. */
export async function* recordsOf(
  bytes: AsyncIterable<Buffer | string>,
  { format, encoding, delimiter, headerRow, header, whole }: FileShape,
): AsyncGenerator<FileRecord> {
  const { text } = await decodeText(bytes, encoding);
  if (format === "ndjson") {
    yield* ndjsonRecords(text, [...header], whole);
    return;
  }
  const records = csvRecords(text, delimiter ?? ",");
  if (headerRow !== null) await records.next();
  // A sheet's rows are counted as they are in the sheet, whatever line breaks its cells have.
  let row = headerRow ?? 0;
  for await (const record of records) {
    row += 1;
    yield format === "xlsx" ? { ...record, line: row } : record;
  }
}

/** Text up to the end of the header at least. */
async function startOf({ text }: DecodedText): Promise<string> {
  let start = "";
  while (endOfHeader(start) < 0 && start.length < MOST_CHARACTERS) {
    const next = await text.next();
    if (next.done === true) break;
    start += next.value;
  }
  return start;
}

async function* tracking(
  records: AsyncIterable<FileRecord>,
  shape: FileShape,
  found: Pick<FileShape, "encoding">,
): AsyncGenerator<FileRecord> {
  yield* records;
  shape.encoding = found.encoding;
}

async function* putBack(first: FileRecord, rest: AsyncIterable<FileRecord>): AsyncGenerator<FileRecord> {
  yield first;
  yield* rest;
}

async function* rejoin(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (start !== "") yield start;
  yield* rest;
}

const empty = (): Refusal => new Refusal("unprocessable", "empty_file", "The file has no header line.");
