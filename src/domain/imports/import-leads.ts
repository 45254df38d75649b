import type { Readable } from "node:stream";
import { newId } from "../../core/id.ts";
import type { Database, ProjectDb } from "../../db/database.ts";
import { serviceDoor } from "../../db/project-door.ts";
import { batchesOf, oneAhead } from "./batches.ts";
import { mappingByHeaders, planColumns } from "./column-plan.ts";
import { openCsv } from "./csv-file.ts";
import { addCounts, type Counts, type ImportReport, MOST_FAILURES, noCounts } from "./import-report.ts";
import { openTarget } from "./import-target.ts";
import { readMapping } from "./mapping.ts";
import { rowReader } from "./read-row.ts";
import { writeBatch } from "./write-batch.ts";
import type { Actor } from "./write-events.ts";

export interface ImportRequest {
  projectId: string;
  /** CSV in UTF-8: a stream, or the path of a file. */
  file: Readable | string;
  fileName: string;
  /** A `Mapping`, as parsed JSON; without one, columns fill the fields that their headers name. */
  mapping?: unknown;
  actor: Actor;
  onProgress?: ((counts: Readonly<Counts>) => void) | undefined;
}

/**
 * Imports leads from a CSV file, a batch a transaction: an import that is cut off has stored exactly the
 * rows that it counts, and may be run again. Throws a Refusal for a file or mapping that makes no sense.
 */
export async function importLeads(service: { db: Database }, request: ImportRequest): Promise<ImportReport> {
  const { projectId, actor } = request;
  const given = request.mapping === undefined ? undefined : readMapping(request.mapping);
  const db = service.db.behind(serviceDoor(projectId));
  const csv = await openCsv(request.file);
  const id = newId("imp");
  const { target, plan, reader } = await db.transaction(async (tx) => {
    const target = await openTarget(tx, projectId, given ?? { columns: {} });
    const mapping = given ?? mappingByHeaders(csv.header, target);
    const plan = planColumns(csv.header, mapping, target);
    const reader = rowReader(csv.header.length, plan, mapping, target);
    await tx.query("INSERT INTO import (project_id, id, file_name) VALUES ($1, $2, $3)", [
      projectId,
      id,
      request.fileName,
    ]);
    return { target, plan, reader };
  });
  const context = { target, importId: id, actor, fields: reader.fields };
  const report: ImportReport = { id, ...noCounts(), skippedColumns: plan.skippedColumns, failures: [] };
  try {
    for await (const rows of oneAhead(batchesOf(csv.records, reader))) {
      const { counts, failures } = await db.transaction((tx) => writeBatch(tx, context, rows));
      addCounts(report, counts);
      report.failures.push(...failures.slice(0, MOST_FAILURES - report.failures.length));
      request.onProgress?.(report);
    }
    await finish(db, projectId, id, "done");
  } catch (error) {
    await finish(db, projectId, id, "failed").catch(() => undefined);
    throw error;
  }
  return report;
}

async function finish(db: ProjectDb, projectId: string, id: string, state: "done" | "failed"): Promise<void> {
  await db.query("UPDATE import SET state = $3, finished_at = moment() WHERE project_id = $1 AND id = $2", [
    projectId,
    id,
    state,
  ]);
}
