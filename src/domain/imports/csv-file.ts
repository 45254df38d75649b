import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import { Refusal } from "../../core/refusal.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { detectDelimiter, endOfHeader } from "./detect-delimiter.ts";

/** A record of the file: the physical line where it starts, and its cells as written. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

export interface CsvFile {
  header: string[];
  records: AsyncIterable<CsvRecord>;
}

const MOST_CHARACTERS = 1_000_000;

/** Opens a CSV file in UTF-8 and reads its header; the delimiter is the header's own. */
export async function openCsv(file: Readable | string): Promise<CsvFile> {
  const bytes = typeof file === "string" ? createReadStream(file) : file;
  const text = decodeUtf8(bytes);
  let start = "";
  let end = -1;
  while (end < 0 && start.length < MOST_CHARACTERS) {
    const next = await text.next();
    if (next.done === true) break;
    start += next.value;
    end = endOfHeader(start);
  }
  const delimiter = detectDelimiter(end < 0 ? start : start.slice(0, end));
  const records = recordsOf(rejoin(start, text), delimiter);
  const header = await records.next();
  if (header.done === true) throw new Refusal("unprocessable", "empty_file", "The file has no header line.");
  return { header: header.value.cells.map((cell) => cell.trim()), records };
}

async function* rejoin(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (start !== "") yield start;
  yield* rest;
}

async function* recordsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MOST_CHARACTERS,
  });
  // The parser hands a failure of its source on to whoever reads it.
  pipeline(Readable.from(text), parser, () => undefined);
  let line = 1;
  try {
    for await (const record of parser) {
      const cells = record as string[];
      yield { line, cells };
      line += 1;
      for (const cell of cells) line += breaksIn(cell);
    }
  } catch (error) {
    throw isCsvError(error) ? unreadable(error, line) : error;
  }
}

function breaksIn(cell: string): number {
  if (!cell.includes("\n") && !cell.includes("\r")) return 0;
  return cell.split(/\r\n|\n|\r/).length - 1;
}

const isCsvError = (error: unknown): error is CsvError =>
  error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");

function unreadable(error: CsvError, line: number): Refusal {
  return new Refusal(
    "unprocessable",
    "unreadable_csv",
    `The record that starts at line ${line} cannot be read; a quote may be missing its partner.`,
    { cause: error },
  );
}
