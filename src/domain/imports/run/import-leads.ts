import type { Actor } from "../../../contract/basics/actor.ts";
import type { ImportCounts } from "../../../contract/lists/outcomes.ts";
import { newId } from "../../../core/id.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { ProjectDb } from "../../../db/pool/database.ts";
import { serviceDoor } from "../../../db/pool/project-door.ts";
import { changeBy } from "../../changes/change.ts";
import { holdJob } from "../../jobs/hold-job.ts";
import { followGrowth } from "../../operation/growth.ts";
import type { Sealing, Service } from "../../operation/service/service.ts";
import { shownProfile } from "../file/column-profile.ts";
import type { FileChoices, FileSource } from "../file/import-file.ts";
import { beginning, inspectContent } from "../file/inspect-file.ts";
import { recordsOf } from "../file/open-import-file.ts";
import { sheetAsCsv } from "../file/sheet-as-csv.ts";
import { createFields } from "../mapping/create-fields.ts";
import { guessMapping } from "../mapping/guess-mapping.ts";
import { readMapping } from "../mapping/mapping.ts";
import { openTarget } from "../mapping/open-target.ts";
import { planImport } from "../mapping/plan-import.ts";
import { BATCH_MS } from "./batch-context.ts";
import { addCounts, type ImportReport, importName, MOST_FAILURES, noCounts } from "./import-report.ts";
import { runImport } from "./run-import.ts";
import { endCutOff } from "./sweep-imports.ts";

export interface ImportRequest {
  projectId: string;
  file: FileSource;
  fileName: string;
  choices?: FileChoices;
  /** The program that wrote the file; by default detected from its headers. */
  preset?: string | undefined;
  /** A `Mapping` as parsed JSON; by default columns fill the fields that their headers name. */
  mapping?: unknown;
  /** Whether rows clear opt-outs, as with `clear_opt_out` in the mapping. */
  clearOptOut?: boolean;
  actor: Actor;
  onProgress?: ((counts: Readonly<ImportCounts>) => void) | undefined;
}

const BEGIN = `INSERT INTO import (project_id, id, file_name, actor, shape, columns, records, preset, mapping, started_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, moment())`;

const END = `UPDATE import SET state = $3, error = $4, finished_at = moment(), expires_at = moment() + interval '30 days'
  WHERE project_id = $1 AND id = $2 AND state = 'running'`;

/**
 * Imports leads from a file for the operator, one transaction per batch. An interrupted import has stored exactly the
 * rows that it counts and can be run again. `owner_id` takes the id of a member. Refuses an invalid file or mapping.
 */
export async function importLeads(
  service: Pick<Service, "db" | "log"> & Sealing,
  request: ImportRequest,
): Promise<ImportReport> {
  const { projectId, actor, file } = request;
  const given = request.mapping === undefined ? undefined : readMapping(request.mapping);
  const db = service.db.behind(serviceDoor(projectId));
  const { isArchive: sheet, bytes } = await beginning(asBytes(file()));
  const inspection = await inspectContent(bytes, request.choices ?? {}, { sheet, whole: false });
  const { shape, columns, records } = inspection;
  const id = newId("imp");
  const author = { kind: "named", projectId, actor, surface: "cli" } as const;
  let report: ImportReport | undefined;
  const work = async () => {
    const { plan, preset } = await db.transaction(async (tx) => {
      const target = await openTarget(tx, projectId, { columns: {} });
      const guess = guessMapping(columns, target, { preset: request.preset, mayCreate: true });
      const mapping = {
        ...(given ?? guess.mapping),
        ...(request.clearOptOut ? { clear_opt_out: true } : {}),
      };
      await createFields(tx, changeBy(service, author, "field.create"), mapping);
      const plan = await planImport(tx, projectId, inspection, mapping);
      const found = given === undefined ? guess.preset : null;
      const kept = [actor, shape, columns.map(shownProfile)].map((each) => JSON.stringify(each));
      const more = [records, found && JSON.stringify(found), JSON.stringify(mapping)];
      await tx.query(BEGIN, [projectId, id, request.fileName, ...kept, ...more]);
      return { plan, preset: found };
    });
    const { target, reader, skippedColumns } = plan;
    const own: ImportReport = { id, ...noCounts(), preset, skippedColumns, failures: [] };
    report = own;
    try {
      await runImport({
        db,
        context: {
          target,
          importId: id,
          jobId: null,
          actor,
          change: changeBy(service, author, "import", { about: { import_id: id } }),
          headers: reader.headers,
          limitMs: BATCH_MS,
        },
        reader,
        records: recordsOf(sheet ? sheetAsCsv(asBytes(file()), shape.sheet) : file(), shape),
        done: 0,
        onBatch: ({ counts, failed }) => {
          addCounts(own, counts);
          const faults = failed.flatMap((row) => row.faults);
          own.failures.push(...faults.slice(0, MOST_FAILURES - own.failures.length));
          request.onProgress?.(own);
          void followGrowth(service, projectId);
        },
      });
      await end(db, projectId, id, "done");
      await followGrowth(service, projectId, true);
    } catch (error) {
      await end(db, projectId, id, "failed", error).catch(() => undefined);
      throw error;
    }
  };
  await endCutOff(service, projectId);
  await holdJob(service as Service, importName(projectId, id), work);
  if (report === undefined) throw new Error("another process has the id of this import");
  return report;
}

async function* asBytes(file: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  for await (const chunk of file) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

async function end(
  db: ProjectDb,
  projectId: string,
  id: string,
  state: "done" | "failed",
  cause?: unknown,
): Promise<void> {
  const error =
    cause instanceof Refusal
      ? { code: cause.code, message: cause.message }
      : { code: "internal", message: "The import was interrupted." };
  await db.query(END, [projectId, id, state, state === "failed" ? JSON.stringify(error) : null]);
}
