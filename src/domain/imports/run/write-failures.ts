import type { Transaction } from "../../../db/pool/database.ts";
import { storable } from "../../values/value.ts";
import type { FailedRow } from "./import-report.ts";

const INSERT = `INSERT INTO import_failure (project_id, import_id, number, row, cells, faults)
  SELECT $1, $2, number, row, cells, faults
  FROM jsonb_to_recordset($3::jsonb) AS f (number integer, row integer, cells jsonb, faults jsonb)`;

/** Stores every failed row verbatim; characters that PostgreSQL cannot store become U+FFFD. */
export async function writeFailures(
  tx: Transaction,
  projectId: string,
  importId: string,
  failed: readonly FailedRow[],
): Promise<void> {
  if (failed.length === 0) return;
  const rows = failed.map(({ cells, faults, ...row }) => ({
    ...row,
    cells: cells.map(storable),
    faults: faults.map(({ column, code, message }) => ({ column, code, message: storable(message) })),
  }));
  await tx.query(INSERT, [projectId, importId, JSON.stringify(rows)]);
}
