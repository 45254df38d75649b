import type { Static } from "typebox";
import type { FileChoices as Choices } from "../../../../contract/imports/import-file.ts";
import {
  ENCODINGS,
  type Encoding,
  encodingNamed,
  type ImportFormat,
} from "../../../../contract/lists/files.ts";
import { malformed } from "../../../../core/refusal.ts";

/** The sender's options for a file; the rest is detected. */
export type FileChoices = Omit<Static<typeof Choices>, "encoding"> & {
  encoding?: Encoding;
} & Pick<FileShape, "whole">;

/** Reads the sender's options; refuses (400) an encoding that does not exist. */
export function readChoices({ encoding, ...choices }: Static<typeof Choices>): FileChoices {
  if (encoding === undefined) return choices;
  const known = encodingNamed(encoding);
  if (known !== undefined) return { ...choices, encoding: known };
  throw malformed([
    { path: "$.encoding", code: "unknown_encoding", message: `must be one of ${ENCODINGS.join(", ")}` },
  ]);
}

/** The options for reading a stored file. A sheet was stored as CSV in this service's own format. */
export const choicesFor = (
  { sheet: _, ...choices }: FileChoices,
  file: { sheet: boolean; whole: boolean },
): FileChoices => ({
  ...choices,
  ...(file.sheet ? ({ format: "csv", encoding: "utf-8", delimiter: "," } as const) : {}),
  ...(file.whole ? { whole: true } : {}),
});

/** How to read the bytes of a file. Of a spreadsheet, the bytes are one sheet as CSV. */
export interface FileShape {
  format: ImportFormat;
  encoding: Encoding;
  /** Whether it starts with a byte order mark. */
  bom: boolean;
  delimiter: string | null;
  /** The line of the column names; null if there is none. */
  headerRow: number | null;
  /** The line of the last row, if the rows below it are not records, such as totals. */
  lastRow?: number;
  /** The distinct names of the columns: a second `Email` is `Email (2)`, a missing name is `Column 3`. */
  header: string[];
  /** Of a spreadsheet: the sheet that is read, and all sheets. */
  sheet?: string;
  sheets?: string[];
  /** Whether objects inside NDJSON stay JSON, for datasets, which have JSON columns. */
  whole?: true;
  /** Whether it is a file of failed rows, whose columns of reasons are not in the header. */
  reasons?: true;
}

/** A record of the file: the physical line where it starts, and its cells verbatim. */
export interface FileRecord {
  line: number;
  cells: string[];
  /** Why the record cannot be read. */
  fault?: { code: string; message: string };
  /** Whether it is left out: a row below the last one, such as a total. */
  left?: true;
}

/** A row as it is shown to people. */
export interface ShownRow {
  line: number;
  cells: string[];
}

/** One way to read a text, with lines that show the difference. */
export interface TextReading {
  encoding: Encoding;
  examples: string[];
}

/** What was told from a file's content and may be wrong. */
export interface Doubts {
  /** If the letters told the encoding: the ways to read them, the likeliest first. Unsure if another is nearly as likely. */
  encodings?: { sure: boolean; readings: TextReading[] };
  /** If the first filled row is not the header, or another may be: the rows that may be, the likeliest first. */
  headers?: ShownRow[];
  /** Rows at the end that are not records. */
  footer?: ShownRow[];
}

export interface OpenedFile {
  shape: FileShape;
  /** The records, without the header. */
  records: AsyncIterable<FileRecord>;
}

/** The bytes of a file; each call reads them again. */
export type FileSource = () => AsyncIterable<Buffer | string>;

/** The longest line and record. */
export const MOST_CHARACTERS = 1_000_000;
export const MOST_COLUMNS = 500;

/** Returns distinct names of columns. */
export function columnNames(cells: readonly string[]): string[] {
  const taken = new Set<string>();
  return cells.map((cell, i) => {
    const plain = cell.trim().slice(0, 200).replaceAll("\0", "").toWellFormed() || `Column ${i + 1}`;
    let name = plain;
    for (let n = 2; taken.has(name); n += 1) name = `${plain} (${n})`;
    taken.add(name);
    return name;
  });
}
