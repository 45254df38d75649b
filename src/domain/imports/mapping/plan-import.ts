import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import type { FileShape } from "../file/shape/import-file.ts";
import { planColumns } from "./column-plan.ts";
import type { ImportTarget } from "./import-target.ts";
import { openTarget } from "./open-target.ts";
import type { EventsOfRow } from "./row-events.ts";
import { type RowReader, rowReader } from "./row-reader.ts";

/** An inspected file and the dataset to fill; without one, leads. */
interface PlannedFile {
  shape: FileShape;
  columns: readonly ColumnProfile[];
  dataset?: string | null;
}

/** How the rows of a file become leads or dataset rows. */
export interface ImportPlan {
  target: ImportTarget;
  reader: RowReader;
  skippedColumns: string[];
}

/** Applies a mapping to a file and a project. */
export async function planImport(
  tx: Transaction,
  projectId: string,
  { shape, columns, dataset = null }: PlannedFile,
  mapping: ImportMapping,
  more?: EventsOfRow,
): Promise<ImportPlan> {
  const target = await openTarget(tx, projectId, mapping, dataset);
  const plan = planColumns(columns, mapping, target, shape.format);
  const width = shape.delimiter === null ? null : columns.length;
  return {
    target,
    reader: rowReader(width, plan, mapping, target, more),
    skippedColumns: plan.skippedColumns,
  };
}
