import type { ImportCounts } from "../../../contract/lists/outcomes.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { findDataset } from "../../datasets/definition/dataset.ts";
import type { DryRows } from "../../datasets/rows/dry-rows.ts";
import { type WrittenRow, writeRows } from "../../datasets/rows/write-rows.ts";
import type { RowsTarget } from "../mapping/import-target.ts";
import type { ReadRow } from "../mapping/row-reader.ts";
import { count, type FailedRow, noCounts } from "./import-report.ts";

/** How many rows are decided at once, before other calls are served. */
const BATCH = 250;

/** Where rows go; `readNext` starts reading the next batch while the database works. */
interface RowsPlace {
  projectId: string;
  rows: RowsTarget;
  /** Records what is written, with what an undo needs. */
  change: Change;
  limitMs: number;
  readNext?(): void;
}

/** Decides a batch's rows of a dataset and stores the result, without counting; a dry run only remembers it. */
export async function placeRows(
  tx: Transaction,
  { projectId, rows: target, change, limitMs, readNext }: RowsPlace,
  rows: readonly ReadRow[],
  dry?: DryRows,
): Promise<{ counts: ImportCounts; failed: FailedRow[] }> {
  await tx.allow(limitMs, { enable_seqscan: "off", synchronous_commit: "off" });
  const dataset = await findDataset(tx, projectId, target.dataset, dry === undefined ? "lock" : "read");
  readNext?.();
  const counts = noCounts();
  const failed: FailedRow[] = [];
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH);
    const given = batch.flatMap((row) => (row.kind === "filled" ? [Object.fromEntries(row.patch)] : []));
    const written = await writeRows(tx, projectId, dataset, given, {
      ...{ mode: target.mode, as: "text", whole: false, change },
      ...(dry === undefined ? {} : { dry }),
    });
    let next = 0;
    for (const row of batch) {
      if (row.kind === "empty") count(counts, "skipped");
      else if (row.kind === "bad") {
        count(counts, "failed");
        failed.push({ number: row.number, row: row.line, cells: row.cells, faults: row.faults });
      } else {
        const result = written[next];
        next += 1;
        if (result === undefined) throw new Error("a row was neither written nor refused");
        count(counts, result.outcome);
        if (result.outcome === "failed") failed.push(failedRow(row, result, target));
      }
    }
  }
  return { counts, failed };
}

/** Faults name the file's column. */
const failedRow = (row: ReadRow, { faults }: WrittenRow, { headers }: RowsTarget): FailedRow => ({
  ...{ number: row.number, row: row.line, cells: row.cells },
  faults: faults.map(({ path, code, message }) => ({
    ...{ row: row.line, column: headers.get(path) ?? path, code, message },
  })),
});
