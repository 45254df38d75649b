import { pipeline, Readable } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import { Refusal } from "../../../../core/refusal.ts";
import { type FileRecord, MOST_CHARACTERS } from "../shape/import-file.ts";

/**
 * Yields all records of CSV text, each with the physical line where it starts, or of a sheet with its number there,
 * whatever line breaks its cells contain.
 */
export async function* csvRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  sheet = false,
): AsyncGenerator<FileRecord> {
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MOST_CHARACTERS,
  });
  const source = Readable.from(text);
  // The reader of the parser receives errors of its source.
  pipeline(source, parser, () => undefined);
  let line = 1;
  try {
    for await (const record of parser) {
      const cells = record as string[];
      yield { line, cells };
      line += 1;
      if (!sheet) for (const cell of cells) line += breaksIn(cell);
    }
  } catch (error) {
    throw isCsvError(error) ? unreadable(error, line) : error;
  } finally {
    source.destroy();
  }
}

function breaksIn(cell: string): number {
  if (!cell.includes("\n") && !cell.includes("\r")) return 0;
  return cell.split(/\r\n|\n|\r/).length - 1;
}

const isCsvError = (error: unknown): error is CsvError =>
  error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");

function unreadable(error: CsvError, line: number): Refusal {
  const record = `The record that starts at line ${line}`;
  return new Refusal(
    "unprocessable",
    "unreadable_csv",
    error.code === "CSV_MAX_RECORD_SIZE"
      ? `${record} has more than ${MOST_CHARACTERS} characters. Shorten its cells; if they are short, a closing quote is missing.`
      : `${record} cannot be read; a closing quote may be missing.`,
    { cause: error },
  );
}
