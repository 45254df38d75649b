// Runs in a thread: reads one sheet of a spreadsheet, by default the first, and sends its rows as CSV, a
// thousand at a time.
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { readSheet } from "read-excel-file/node";
import { sheetDate } from "./sheet-dates.ts";
import { type SheetMessage, sheetNames } from "./sheet-names.ts";

const MOST_ROWS = 200_000;
const MOST_UNPACKED = 400 * 1_048_576;
const ROWS = 1_000;

const say = (message: SheetMessage): void => parentPort?.postMessage(message);

/** The unpacked size of all parts, according to the archive's directory. */
function unpackedSize(file: Buffer): number {
  let total = 0;
  const mark = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
  for (let at = file.indexOf(mark); at >= 0 && at + 46 <= file.length; at = file.indexOf(mark, at + 46)) {
    total += file.readUInt32LE(at + 24);
  }
  return total;
}

/** A number as in its cell, except that whole numbers in exponent form (5.5119E+12) are written out. */
function numberText(text: string): string {
  const value = Number(text);
  return /e/i.test(text) && Number.isSafeInteger(value) ? String(value) : text;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return value instanceof Date ? sheetDate(value) : String(value);
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

try {
  const { bytes, sheet } = workerData as { bytes: Uint8Array; sheet: string | undefined };
  const file = Buffer.from(bytes);
  if (unpackedSize(file) > MOST_UNPACKED) throw new Error("is larger than 400 MB when unpacked");
  const sheets = sheetNames(file);
  if (sheet !== undefined && !sheets.includes(sheet)) throw new Error("has no sheet with this name");
  say({ sheets, sheet: sheet ?? sheets[0] });
  const rows = await readSheet<string>(file, sheet ?? 1, { parseNumber: numberText, trim: false });
  if (rows.length > MOST_ROWS) throw new Error("has more than 200,000 rows");
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  for (let at = 0; at < rows.length; at += ROWS) {
    const csv = rows
      .slice(at, at + ROWS)
      .map((row) => Array.from({ length: width }, (_, i) => quoted(cellText(row[i]))).join(","))
      .map((line) => (line === "" ? '""\n' : `${line}\n`))
      .join("");
    say({ csv });
    await new Promise((resolve) => parentPort?.once("message", resolve));
  }
  say(null);
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  say({
    code: "unreadable_sheet",
    message: `The spreadsheet cannot be read: it ${why}. Save it as CSV.`.slice(0, 300),
  });
}
process.exit();
