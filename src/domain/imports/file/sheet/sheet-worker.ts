// Runs in a thread: reads one sheet of a spreadsheet, by default the first with a table, and sends its rows as CSV,
// a thousand at a time.
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { readSheet, type SheetData } from "read-excel-file/node";
import { sheetDate } from "./sheet-dates.ts";
import { fillMerged, mergesIn } from "./sheet-merges.ts";
import { type SheetMessage, sheetNames, sheetPaths } from "./sheet-names.ts";

const MOST_ROWS = 200_000;
const MOST_UNPACKED = 400 * 1_048_576;
const ROWS = 1_000;
/** So many sheets are searched for a table. */
const SEARCHED = 20;

type Rows = SheetData<string>;

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

const isFilled = (value: unknown): boolean => cellText(value).trim() !== "";

/** Whether a sheet has a table: a row with two filled cells, or a list in one column without gaps and sentences. */
function hasTable(rows: Rows): boolean {
  if (rows.some((row) => row.filter(isFilled).length > 1)) return true;
  const filled = rows.flatMap((row, i) => (row.some(isFilled) ? [i] : []));
  const texts = rows.flatMap((row) => row.filter(isFilled).map((value) => cellText(value).trim()));
  const isWhole = (filled.at(-1) ?? 0) - (filled[0] ?? 0) === filled.length - 1;
  return texts.length > 1 && isWhole && texts.every((text) => text.length <= 60 && !/[.:!?]$/.test(text));
}

const read = async (file: Buffer, sheet: number): Promise<Rows> =>
  await readSheet<string>(file, sheet + 1, { parseNumber: numberText, trim: false });

/** Reads the first sheet with a table, else the first one with anything, else the first one. */
async function firstTable(
  file: Buffer,
  paths: readonly (string | undefined)[],
): Promise<{ at: number; rows: Rows }> {
  const isKnown = paths.some((path) => path !== undefined);
  const places = paths.flatMap((path, i) => (isKnown && path === undefined ? [] : [i])).slice(0, SEARCHED);
  let kept: { at: number; rows: Rows } | undefined;
  for (const at of places) {
    const rows = await read(file, at);
    if (hasTable(rows)) return { at, rows };
    if (kept === undefined || (kept.rows.length === 0 && rows.length > 0)) kept = { at, rows };
  }
  return kept ?? { at: 0, rows: await read(file, 0) };
}

try {
  const { bytes, sheet } = workerData as { bytes: Uint8Array; sheet: string | undefined };
  const file = Buffer.from(bytes);
  if (unpackedSize(file) > MOST_UNPACKED) throw new Error("is larger than 400 MB when unpacked");
  const sheets = sheetNames(file);
  if (sheet !== undefined && !sheets.includes(sheet)) throw new Error("has no sheet with this name");
  const paths = sheetPaths(file);
  const named = sheet === undefined ? undefined : sheets.indexOf(sheet);
  const { at, rows } =
    named === undefined ? await firstTable(file, paths) : { at: named, rows: await read(file, named) };
  say({ sheets, sheet: sheets[at] });
  if (rows.length > MOST_ROWS) throw new Error("has more than 200,000 rows");
  fillMerged(rows, await mergesIn(file, paths[at] ?? ""));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  for (let from = 0; from < rows.length; from += ROWS) {
    const csv = rows
      .slice(from, from + ROWS)
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
