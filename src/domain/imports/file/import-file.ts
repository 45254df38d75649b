import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };

export const ENCODINGS: readonly string[] = ["utf-8", "utf-16le", "utf-16be", "windows-1252"];
const Encoding = Type.Enum(["utf-8", "utf-16le", "utf-16be", "windows-1252"]);
export type Encoding = Static<typeof Encoding>;

const Format = Type.Enum(["csv", "ndjson", "xlsx"]);
export type Format = Static<typeof Format>;

const choices = {
  format: Type.Optional(Format),
  encoding: Type.Optional(Encoding),
  delimiter: Type.Optional(Type.Enum([",", ";", "\t", "|"])),
  header: Type.Optional(Type.Boolean({ description: "Whether the first row has the column names." })),
  sheet: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "For a spreadsheet: the sheet to read; defaults to the first.",
    }),
  ),
};

/** What the sender says about a file; the rest is found in its bytes. */
export const FileChoices = Type.Object(choices, closed);
export type FileChoices = Static<typeof FileChoices> & Pick<FileShape, "whole">;

/** What a stored file is read with. A sheet is CSV of our own making by the time it is read. */
export const choicesFor = (
  { sheet: _, ...choices }: FileChoices,
  file: { sheet: boolean; whole: boolean },
): FileChoices => ({
  ...(file.sheet
    ? {
        format: "csv",
        encoding: "utf-8",
        delimiter: ",",
        ...(choices.header === undefined ? {} : { header: choices.header }),
      }
    : choices),
  ...(file.whole ? { whole: true } : {}),
});

/** How the bytes of a file are read. A spreadsheet's are its first sheet as CSV. */
export interface FileShape {
  format: Format;
  encoding: Encoding;
  /** Whether it begins with a byte order mark. */
  bom: boolean;
  delimiter: string | null;
  /** The line of the names of the columns; null where there are none. */
  headerRow: number | null;
  /** The names of the columns, each once: a second `Email` is `Email (2)`, one without a name `Column 3`. */
  header: string[];
  /** Of a spreadsheet: the sheet that is read, and all there are. */
  sheet?: string;
  sheets?: string[];
  /** Whether the objects inside of NDJSON stay JSON: datasets have columns for that. */
  whole?: true;
}

/** A record of the file: the physical line where it starts, and its cells as written. */
export interface FileRecord {
  line: number;
  cells: string[];
  /** Why nothing can be made of it. */
  fault?: { code: string; message: string };
}

export interface OpenedFile {
  shape: FileShape;
  /** The records, without the one that names the columns. */
  records: AsyncIterable<FileRecord>;
}

/** The bytes of a file; each call reads it anew. */
export type FileSource = () => AsyncIterable<Buffer | string>;

/** No line, no record may be longer. */
export const MOST_CHARACTERS = 1_000_000;
export const MOST_COLUMNS = 500;

/** Names for columns, each once. */
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
