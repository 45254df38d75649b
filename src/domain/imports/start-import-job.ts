import { Type } from "typebox";
import { ClearingInput } from "../../contract/basics/basics.ts";
import type { ImportState } from "../../contract/lists/states.ts";
import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { mustBeComplete } from "../changes/being-made.ts";
import { type Change, newChange } from "../changes/change.ts";
import { enqueueJob } from "../jobs/enqueue-job.ts";
import { record } from "../operation/audit/record.ts";
import { may } from "../operation/may-sql.ts";
import { type MemberContext, memberOperation } from "../operation/operation.ts";
import type { Credential } from "../tenancy/credential.ts";
import { lockUndone, marked, startedBy, targetsOf, type UndoneChange } from "../undo/open-undo.ts";
import type { UndoWork } from "../undo/undo-job.ts";
import { valuesGone } from "./former-values.ts";
import { ImportId } from "./get-import.ts";
import { IMPORTS, importDoor, readingOf } from "./import-door.ts";
import {
  type ImportRow,
  lockImport,
  mustBe,
  mustHaveFile,
  type StoredImport,
  shownImport,
  WITHHELD,
} from "./import-record.ts";
import { createFields, missingFields } from "./mapping/create-fields.ts";
import { createOptions, missingOptions } from "./mapping/create-options.ts";
import { openFaults } from "./questions/open-questions.ts";
import { schemaDoor } from "./schema-door.ts";

/** The most unfinished import jobs of a project. */
const MOST = 20;

/** A new undo starts again; the one that was begun continues where it stopped. */
const WAITS = `UPDATE import SET state = $3, job_id = $4, error = NULL, undo_change_id = coalesce($5, undo_change_id),
    undo = CASE WHEN $5 <> undo_change_id THEN NULL ELSE undo END, undo_at = NULL
  WHERE project_id = $1 AND id = $2
  RETURNING (SELECT actor ->> 'id' FROM job WHERE project_id = $1 AND id = $4) AS actor`;

interface Act {
  act: "check" | "commit" | "undo";
  from: readonly ImportState[];
  state: ImportState;
  needsFile: boolean;
}

/** `clear_opt_out` is for an undo. */
const Starting = Type.Object(
  { ...ImportId.properties, ...ClearingInput.properties },
  { additionalProperties: false },
);

/** Returns an operation that starts a job for an import, with the states that allow it and the state meanwhile. */
const starting = (name: string, what: Act) =>
  memberOperation({
    name,
    ...IMPORTS,
    input: Starting,
    async run(context, { id, clear_opt_out: clears = false }): Promise<ImportRow> {
      // What a dry run counts tells what is stored, without a trace.
      const { db, dataset } = await importDoor(context, id, what.act === "check" ? "rows" : "record");
      const { projectId } = context.caller;
      const started = await db.transaction(async (tx) => {
        const stored = await startable(tx, context.caller, id, what);
        const isWhole =
          what.act !== "commit" || dataset !== null || !(await lacksFields(tx, projectId, stored));
        return isWhole ? await startJob(tx, context, { id, stored, what, clears }) : undefined;
      });
      if (started !== undefined) return started;
      // Everything again behind the door that creates fields, so that they and the job exist together or not at all.
      return await schemaDoor(context).transaction(async (tx) => {
        const stored = await startable(tx, context.caller, id, what);
        await createFields(tx, newChange(context, "field.create"), stored.mapping);
        const made = (kind: "statuses.set" | "field.update", about: Change["about"]) =>
          newChange(context, kind, { about });
        await createOptions(tx, made, projectId, stored.mapping);
        return await startJob(tx, context, { id, stored, what, clears });
      });
    },
  });

/** Whether a commit creates fields or options first. */
const lacksFields = async (tx: Transaction, projectId: string, { mapping }: StoredImport): Promise<boolean> =>
  [await missingFields(tx, projectId, mapping), await missingOptions(tx, projectId, mapping)].some(
    (missing) => Object.keys(missing).length > 0,
  );

/** Locks an import and refuses it if the job cannot start. */
async function startable(
  tx: Transaction,
  caller: Credential,
  id: string,
  { act, needsFile, from }: Act,
): Promise<StoredImport> {
  const stored = await lockImport(tx, caller.projectId, id);
  if (needsFile && stored.erased) mustHaveFile(stored);
  // An undo that kept something can be continued.
  mustBe(stored, ...from, ...(act === "undo" && stored.isKept ? (["undone"] as const) : []));
  if (act === "undo" && stored.changeId !== null) await mustBeComplete(tx, caller.projectId, stored.changeId);
  if (act === "undo" && stored.forgotten) throw valuesGone();
  if (needsFile) mustHaveFile(stored);
  if (needsFile) await mustBeAnswered(tx, caller, stored);
  return stored;
}

async function startJob(
  tx: Transaction,
  context: Pick<MemberContext, "service" | "caller">,
  { id, stored, what, clears = false }: { id: string; stored: StoredImport; what: Act; clears?: boolean },
): Promise<ImportRow> {
  const { service, caller } = context;
  const { projectId } = caller;
  const job = newId("job");
  const { dataset } = stored;
  const rows = what.needsFile ? Math.max(0, ...stored.columns.map(({ filled }) => filled)) : 0;
  const undo = what.act === "undo" ? await undoOf(tx, context, { id, stored, job, clears }) : null;
  const input = { import_id: id, act: what.act, dataset, rows, ...undo };
  if (!(await enqueueJob(tx, caller, { id: job, kind: "import", input, most: MOST }))) {
    const text = `${MOST} imports are already waiting. Wait until one has finished, or cancel one.`;
    throw new Refusal("too_many", "too_many_imports", text, { retryAfter: 30 });
  }
  const values = [projectId, id, what.state, job, undo?.undo ?? null];
  const [waiting] = await tx.query<{ actor: string | null }>(WAITS, values);
  if (what.act !== "check") {
    const data = { import_id: id, ...(dataset === null ? {} : { dataset_id: dataset }) };
    const done = dataset === null ? "leads.imported" : "rows.imported";
    const who = typeof waiting?.actor === "string" ? { actor: waiting.actor } : {};
    await record(service, tx, {
      action: what.act === "undo" ? "import.undone" : done,
      projectId,
      ...who,
      data,
    });
  }
  return await shownImport(tx, caller, id);
}

const CHANGE =
  "SELECT id, kind, created_at::text AS since, counts, about FROM change WHERE project_id = $1 AND id = $2";

/** Records the change that an undo will be, or goes on with, so that its caller knows it; null for an import that wrote nothing. */
async function undoOf(
  tx: Transaction,
  context: Pick<MemberContext, "service" | "caller">,
  {
    id,
    stored: { dataset, changeId },
    job,
    clears,
  }: { id: string; stored: StoredImport; job: string; clears: boolean },
): Promise<UndoWork | null> {
  if (changeId === null) return null;
  const { projectId } = context.caller;
  const locked = await lockUndone(tx, projectId, changeId);
  const [change] = await tx.query<UndoneChange>(CHANGE, [projectId, changeId]);
  if (change === undefined) throw valuesGone();
  const targets = await targetsOf(tx, projectId, change, locked, { clears });
  const undo = newChange(context, "undo", {
    about: { import_id: id, ...(dataset === null ? {} : { dataset_id: dataset }) },
    ...{ undoes: changeId, jobId: job },
    ...(locked.undone_by === null ? {} : { id: locked.undone_by }),
  });
  await startedBy(tx, undo, job);
  return { undo: undo.id, targets: await marked(tx, undo, targets, false), several: false };
}

/** Refuses (409) an import with open questions; they quote values only to those who may read them. */
async function mustBeAnswered(
  tx: Transaction,
  caller: Credential,
  { dataset, questions, formerQuestions }: StoredImport,
): Promise<void> {
  const faults = [...openFaults(questions), ...formerQuestions];
  if (faults.length === 0) return;
  const mayRead = await may(tx, caller, readingOf(dataset));
  const shown = mayRead ? faults : faults.map((each) => ({ ...each, message: WITHHELD }));
  throw new Refusal("conflict", shown[0]?.code ?? "", shown[0]?.message ?? "", { faults: shown });
}

/** Does all that a commit would do and rolls it back, so its counts are the commit's. */
export const dryRun = starting("imports.dry_run", {
  act: "check",
  from: ["ready"],
  state: "checking",
  needsFile: true,
});

/** Writes the file's leads or rows; a cancelled or failed import resumes after the last counted row. */
const COMMIT: Act = {
  act: "commit",
  from: ["ready", "cancelled", "failed"],
  state: "waiting",
  needsFile: true,
};
export const commitImport = starting("imports.commit", COMMIT);

/** The same for rows of a dataset, in the transaction that made the import ready. */
export async function commitAtOnce(
  tx: Transaction,
  context: Pick<MemberContext, "service" | "caller">,
  id: string,
): Promise<ImportRow> {
  const stored = await startable(tx, context.caller, id, COMMIT);
  return await startJob(tx, context, { id, stored, what: COMMIT });
}

/** Undoes an import within thirty days; what was edited since stays and is listed. */
export const undoImport = starting("imports.undo", {
  act: "undo",
  from: ["done", "cancelled", "failed"],
  state: "undoing",
  needsFile: false,
});
