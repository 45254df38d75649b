import type { Actor } from "../../../contract/basics/actor.ts";
import type { ImportCounts } from "../../../contract/lists/outcomes.ts";
import { newId } from "../../../core/id.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { ProjectDb } from "../../../db/pool/database.ts";
import { serviceDoor } from "../../../db/pool/project-door.ts";
import { type Change, changeBy } from "../../changes/change.ts";
import { holdJob } from "../../jobs/hold-job.ts";
import { followGrowth } from "../../operation/growth.ts";
import type { Sealing, Service } from "../../operation/service/service.ts";
import { shownProfile } from "../file/column-profile.ts";
import { beginning, type Inspection, inspectContent } from "../file/inspect-file.ts";
import { recordsOf } from "../file/open-import-file.ts";
import type { FileChoices, FileSource } from "../file/shape/import-file.ts";
import { sheetAsCsv } from "../file/sheet/sheet-as-csv.ts";
import { createFields } from "../mapping/create-fields.ts";
import { createOptions } from "../mapping/create-options.ts";
import { knownNames } from "../mapping/known-names.ts";
import { readMapping } from "../mapping/mapping.ts";
import { openTarget } from "../mapping/open-target.ts";
import { planImport } from "../mapping/plan-import.ts";
import type { EventsOfRow } from "../mapping/row-events.ts";
import { mustBeAnswered, mustBeAsked } from "../questions/open-questions.ts";
import { type Answers, propose } from "../questions/propose.ts";
import { choicesOf, otherReading } from "../questions/reading-choices.ts";
import { rememberedAnswers, shapeKeyOf } from "../questions/remembered-answers.ts";
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
  /** Further events of each row. */
  events?: EventsOfRow;
  /** Choices by question; without one, the answers for the last file with the same columns apply, and the defaults. */
  answers?: Readonly<Record<string, string>>;
  /** Whether rows clear opt-outs, as with `clear_opt_out` in the mapping. */
  clearOptOut?: boolean;
  actor: Actor;
  onProgress?: ((counts: Readonly<ImportCounts>) => void) | undefined;
}

const BEGIN = `INSERT INTO import (project_id, id, file_name, actor, shape, columns, records, preset, mapping, asked, answers, shape_key, started_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, moment())`;

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
  const id = newId("imp");
  const { inspection, answers, shapeKey } = await readRight(db, request, { id, sheet, bytes });
  const { shape, columns, records } = inspection;
  const author = { kind: "named", projectId, actor, surface: "cli" } as const;
  let report: ImportReport | undefined;
  const work = async () => {
    const { plan, preset, questions } = await db.transaction(async (tx) => {
      const target = await openTarget(tx, projectId, given ?? { columns: {} });
      const said = {
        preset: request.preset,
        mapping: given,
        clear_opt_out: request.clearOptOut === true ? true : undefined,
      };
      const proposal = propose(inspection, {
        target,
        given: said,
        answers,
        mayCreate: true,
        takesDefaults: true,
      });
      const { mapping } = proposal;
      mustBeAsked(proposal.questions, request.answers);
      mustBeAnswered(proposal.questions);
      await createFields(tx, changeBy(service, author, "field.create"), mapping);
      const made = (kind: "statuses.set" | "field.update", about: Change["about"]) =>
        changeBy(service, author, kind, { about });
      await createOptions(tx, made, projectId, mapping);
      const plan = await planImport(tx, projectId, inspection, mapping, request.events);
      const kept = [actor, shape, columns.map(shownProfile)].map((each) => JSON.stringify(each));
      const { preset } = proposal;
      const more = [records, preset && JSON.stringify(preset), JSON.stringify(mapping)];
      const asked = [JSON.stringify(proposal.questions), JSON.stringify(answers), shapeKey];
      await tx.query(BEGIN, [projectId, id, request.fileName, ...kept, ...more, ...asked]);
      return { plan, preset, questions: proposal.questions };
    });
    const { target, reader, skippedColumns } = plan;
    const own: ImportReport = { id, ...noCounts(), preset, questions, skippedColumns, failures: [] };
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

/** Inspects a file; again if all of its letters show another encoding than its first ones, or answers say so. */
async function readRight(
  db: ProjectDb,
  { projectId, choices = {}, file, answers: own = {} }: ImportRequest,
  { id, sheet, bytes }: { id: string; sheet: boolean; bytes: AsyncIterable<Buffer> },
): Promise<{ inspection: Inspection; answers: Answers; shapeKey: string }> {
  const content = { sheet, whole: false, isKnown: knownNames() };
  const first = await inspectContent(bytes, choices, content);
  const shapeKey = shapeKeyOf(first.shape);
  const remembered = await rememberedAnswers(db, { projectId, id, dataset: null }, first);
  const fresh = Object.entries(own).map(([question, choice]) => [question, { choice }] as const);
  const answers: Answers = { ...remembered, ...Object.fromEntries(fresh) };
  const other = otherReading(choicesOf(choices, answers), first);
  if (other === undefined) return { inspection: first, answers, shapeKey };
  const again = await inspectContent(asBytes(file()), other, content);
  return { inspection: { ...again, doubts: { ...again.doubts, ...first.doubts } }, answers, shapeKey };
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
