import { Readable } from "node:stream";
import { type Static, Type } from "typebox";
import { DELIMITERS } from "../../contract/lists/files.ts";
import { csvCell } from "../../core/csv-cell.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { memberOperation } from "../operation/operation.ts";
import { storedPieces } from "./file/keep-pieces.ts";
import { recordsOf } from "./file/open-import-file.ts";
import type { FileRecord } from "./file/shape/import-file.ts";
import { isEscaped, REASONS, UNREAD } from "./file/table/reason-columns.ts";
import { ImportId } from "./get-import.ts";
import { failuresDoor, IMPORTS } from "./import-door.ts";
import { lockImport, mustHaveFile, type StoredImport } from "./import-record.ts";

const Which = Type.Enum(["failed", "successful", "unprocessed"]);
const BATCH = 500;

interface FailedRow {
  number: number;
  row: number;
  cells: string[];
  faults: { column: string; code: string; message: string }[];
}

const FAILED = `SELECT number, row, cells, faults FROM import_failure
  WHERE project_id = $1 AND import_id = $2 AND number > $3 ORDER BY number LIMIT ${BATCH}`;

/**
 * Returns rows of an import's file as CSV with its own columns, ready for upload: failed rows (with `_row`,
 * `_column`, `_code` and `_message`, then surplus cells, so that they fail again), rows that succeeded, or rows not
 * reached.
 */
export const rowsFile = memberOperation({
  name: "imports.rows",
  ...IMPORTS,
  input: Type.Object({ ...ImportId.properties, which: Which }, { additionalProperties: false }),
  async run(context, { id, which }): Promise<{ stream: Readable }> {
    const { db } = await failuresDoor(context, id, which === "failed" ? "own" : "file");
    const { projectId } = context.caller;
    const stored = await db.transaction((tx) => lockImport(tx, projectId, id));
    if (which !== "failed") mustHaveFile(stored);
    return { stream: Readable.from(textOf(db, projectId, id, stored, which)) };
  },
});

async function* textOf(
  db: ProjectDb,
  projectId: string,
  id: string,
  stored: StoredImport,
  which: Static<typeof Which>,
): AsyncGenerator<Buffer> {
  const { header, delimiter, format } = stored.shape;
  const mark = delimiter ?? ",";
  const cellOf =
    format === "ndjson" || format === "json" ? (cell: string) => guarded(ofNdjson(cell)) : guarded;
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => csvCell(cellOf(cell), mark)).join(mark)}\r\n`;
  if (which !== "failed") {
    let text = `\ufeff${line(header)}`;
    for await (const record of chosen(db, projectId, id, stored, which)) {
      text += line(header.map((_, i) => record.cells[i] ?? ""));
      if (text.length < 65_536) continue;
      yield Buffer.from(text);
      text = "";
    }
    yield Buffer.from(text);
    return;
  }
  yield Buffer.from(`\ufeff${[...header.map((name) => headerCell(name, mark)), ...REASONS].join(mark)}\r\n`);
  for await (const rows of failedBatches(db, projectId, id)) {
    const lines = rows.map(({ row, cells, faults }) => {
      const joined = (of: (fault: FailedRow["faults"][number]) => string) => faults.map(of).join("; ");
      const why =
        faults.length === 1
          ? joined(({ message }) => message)
          : joined((each) => `${each.column} ${each.message}`);
      const told = [String(row), joined(({ column }) => column), joined(({ code }) => code), why];
      const named = faults.some(({ code }) => UNREAD.has(code)) ? 0 : header.length;
      return line([
        ...header.map((_, i) => (i < named ? (cells[i] ?? "") : "")),
        ...told,
        ...cells.slice(named),
      ]);
    });
    yield Buffer.from(lines.join(""));
  }
}

async function* failedBatches(db: ProjectDb, projectId: string, id: string): AsyncGenerator<FailedRow[]> {
  let after = 0;
  for (let rows: FailedRow[] = []; after === 0 || rows.length === BATCH; ) {
    rows = await db.query<FailedRow>(FAILED, [projectId, id, after], { prepare: true });
    if (rows.length === 0) return;
    after = rows.at(-1)?.number ?? after;
    yield rows;
  }
}

/** The rows after the checkpoint, or those before it that did not fail. */
async function* chosen(
  db: ProjectDb,
  projectId: string,
  id: string,
  { rows, shape }: StoredImport,
  which: "successful" | "unprocessed",
): AsyncGenerator<FileRecord> {
  const failed = failedBatches(db, projectId, id);
  let batch: number[] = [];
  let number = 0;
  for await (const record of recordsOf(storedPieces(db, projectId, id), shape)) {
    number += 1;
    if (which === "unprocessed") {
      if (number > rows) yield record;
      continue;
    }
    if (number > rows) return;
    if (batch.length === 0) batch = ((await failed.next()).value ?? []).map((row: FailedRow) => row.number);
    if (batch[0] === number) batch.shift();
    else if (record.left !== true && record.cells.some((cell) => cell.trim() !== "")) yield record;
  }
}

/**
 * A cell that a spreadsheet would run as a formula gets an apostrophe, which the import removes. The import does not
 * keep white space before a text, so that only its first character counts.
 */
function guarded(cell: string): string {
  const text = /^[\t\r]/.test(cell) ? cell.trimStart() : cell;
  return runs(text) ? `'${text}` : text;
}

const runs = (text: string): boolean => /^[=+@\t\r-]/.test(text) && !/^[+-]?[\d\s().,/-]*$/.test(text);

/** An apostrophe that NDJSON has is part of the text; a CSV file needs another one, or the import would remove it. */
const ofNdjson = (cell: string): string => (/^\s*'+[=+@\t\r-]/.test(cell) ? `'${cell.trimStart()}` : cell);

/** Returns a column's name so that `ownColumns` reads it back; quoted if it could be taken for several columns. */
function headerCell(name: string, delimiter: string): string {
  const text = isEscaped(name) || runs(name) ? `'${name}` : name;
  const isSeveral = DELIMITERS.some((each) => text.includes(each));
  return isSeveral ? `"${text.replaceAll('"', '""')}"` : csvCell(text, delimiter);
}
