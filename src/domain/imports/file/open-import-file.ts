import { DELIMITERS } from "../../../contract/lists/files.ts";
import { Refusal } from "../../../core/refusal.ts";
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
import { formerNames, ownColumns, withoutReasons } from "./reason-columns.ts";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * Opens a file of unknown shape. Encoding and NDJSON columns are final only after all records were read; `shape` is
 * updated until then.
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
  const delimiter = choices.delimiter ?? delimiterOf(start);
  const records = filledRecords(text, delimiter);
  const first = await records.next();
  if (first.done === true) throw empty();
  const own = choices.header === false ? undefined : ownColumns(first.value.cells);
  const cells = own === undefined ? first.value.cells : formerNames(first.value.cells.slice(0, own));
  if (cells.length > MOST_COLUMNS)
    throw new Refusal(
      "unprocessable",
      "too_many_columns",
      `The file has more than ${MOST_COLUMNS} columns. Check its delimiter.`,
    );
  const named = choices.header ?? (own !== undefined || !cells.some((cell) => EMAIL.test(cell.trim())));
  const shape: FileShape = {
    ...common,
    delimiter,
    headerRow: named ? first.value.line : null,
    header: columnNames(named ? cells : cells.map(() => "")),
    ...(own === undefined ? {} : { reasons: true }),
  };
  const all = named ? readAgain(records, shape) : putBack(first.value, records);
  return { shape, records: tracking(all, shape, found) };
}

/** Yields the records of a file of known shape, without the header. */
export async function* recordsOf(
  bytes: AsyncIterable<Buffer | string>,
  shape: FileShape,
): AsyncGenerator<FileRecord> {
  const { format, encoding, delimiter, headerRow, header, whole } = shape;
  const { text } = await decodeText(bytes, encoding);
  if (format === "ndjson") {
    yield* ndjsonRecords(text, [...header], whole);
    return;
  }
  // Rows of a sheet are numbered as in the sheet, whatever line breaks their cells contain.
  let row = 0;
  for await (const record of filledRecords(text, delimiter ?? ",")) {
    row = row === 0 ? record.line : row + 1;
    if (row === headerRow) continue;
    const read = shape.reasons ? withoutReasons(record, header) : record;
    yield format === "xlsx" ? { ...read, line: row } : read;
  }
}

/** Yields the rows of a file of failed rows as they were where they failed; other rows unchanged. */
async function* readAgain(
  records: AsyncIterable<FileRecord>,
  { header, reasons }: FileShape,
): AsyncGenerator<FileRecord> {
  for await (const record of records) yield reasons ? withoutReasons(record, header) : record;
}

/** Skips leading blank records and Excel's delimiter note (`sep=;`). */
async function* filledRecords(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<FileRecord> {
  let begun = false;
  for await (const record of csvRecords(text, delimiter)) {
    begun ||= record.cells.some((cell) => cell.trim() !== "") && !isNote(record, delimiter);
    if (begun) yield record;
  }
}

const isNote = ({ cells }: FileRecord, delimiter: string): boolean =>
  cells.join(delimiter).toLowerCase() === `sep=${delimiter}`;

/** What may precede the header: empty lines, and a line such as `sep=;`. */
const ABOVE = /^\s*(?:"?sep=(.)"?[^\S\r\n]*(?:\r\n|\n|\r)\s*)?/i;

const headerIn = (start: string): string => start.replace(ABOVE, "");

/** The delimiter from Excel's note, else from the header. */
function delimiterOf(start: string): string {
  const noted = ABOVE.exec(start)?.[1];
  const known = DELIMITERS.find((each) => each === noted);
  if (known !== undefined) return known;
  const header = headerIn(start);
  const end = endOfHeader(header);
  return detectDelimiter(end < 0 ? header : header.slice(0, end));
}

/** Reads text at least up to the end of the header. */
async function startOf({ text }: DecodedText): Promise<string> {
  let start = "";
  while (endOfHeader(headerIn(start)) < 0 && start.length < MOST_CHARACTERS) {
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
