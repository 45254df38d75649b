import { inflateRawSync } from "node:zlib";

const PART = "xl/workbook.xml";
const MOST_BYTES = 4 * 1_048_576;
const ENTRY = Buffer.from([0x50, 0x4b, 0x01, 0x02]);

/** The sheets, and which of them is read. */
export interface FoundSheets {
  sheets: string[];
  sheet: string | undefined;
}

/** Messages of the thread: the sheets, rows as CSV, or an error; `null` at the end. */
export type SheetMessage = FoundSheets | { csv: string } | { code: string; message: string } | null;

/** Returns the names of a spreadsheet's sheets in order, from the archive's directory; empty if it cannot be read. */
export function sheetNames(file: Buffer): string[] {
  for (let at = file.indexOf(ENTRY); at >= 0 && at + 46 <= file.length; at = file.indexOf(ENTRY, at + 46)) {
    const name = file.toString("utf8", at + 46, at + 46 + file.readUInt16LE(at + 28));
    if (name === PART) return namesIn(partAt(file, at));
  }
  return [];
}

/** Unpacks the file of a directory entry (APPNOTE 4.3.12). */
function partAt(file: Buffer, entry: number): string {
  try {
    const begin = file.readUInt32LE(entry + 42);
    const content = begin + 30 + file.readUInt16LE(begin + 26) + file.readUInt16LE(begin + 28);
    const bytes = file.subarray(content, content + file.readUInt32LE(entry + 20));
    const stored = file.readUInt16LE(entry + 10) === 0;
    return (stored ? bytes : inflateRawSync(bytes, { maxOutputLength: MOST_BYTES })).toString("utf8");
  } catch {
    return "";
  }
}

const namesIn = (xml: string): string[] =>
  [...xml.matchAll(/<(?:\w+:)?sheet\s[^>]*?\bname=(?:"([^"]*)"|'([^']*)')/g)]
    .map(([, double, single]) => unescaped(double ?? single ?? ""))
    .slice(0, 200);

const MARKS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return MARKS[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
