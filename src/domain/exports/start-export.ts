import { LeadsExport } from "../../contract/leads/query.ts";
import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import { enqueueJob } from "../jobs/enqueue-job.ts";
import { record } from "../operation/audit/record.ts";
import { memberOperation } from "../operation/operation.ts";
import { type ExportRow, ONE_EXPORT } from "./export-record.ts";
import { planFile } from "./open-export-file.ts";

/** The maximum number of unfinished exports in a project. */
const MOST = 20;

/**
 * Starts an export of all matching leads. A worker makes the file with the caller's credential, which must still be
 * valid then. Returns the export as JSON text.
 */
export const startExport = memberOperation({
  name: "exports.start",
  needs: "leads:read",
  exports: true,
  input: LeadsExport,
  async run(context, input): Promise<ExportRow> {
    const { service, db, caller } = context;
    const { projectId } = caller;
    await planFile(context, input);
    const id = newId("exp");
    return await db.transaction(async (tx) => {
      if (!(await enqueueJob(tx, caller, { id, kind: "export", input, most: MOST }))) {
        const text = `${MOST} exports are already waiting. Wait until one has finished, or cancel one.`;
        throw new Refusal("too_many", "too_many_exports", text, { retryAfter: 30 });
      }
      const [made] = await tx.query<ExportRow & { actor: string | null }>(
        `SELECT one.*, (SELECT actor ->> 'id' FROM job WHERE project_id = $1 AND id = $2) AS actor FROM (${ONE_EXPORT}) AS one`,
        [projectId, id],
      );
      if (made === undefined) throw new Error("an export was not stored");
      const { actor, ...row } = made;
      const data = { export_id: id, format: input.format ?? "csv" };
      const who = actor === null ? {} : { actor };
      await record(service, tx, { action: "leads.exported", projectId, ...who, data });
      return row;
    });
  },
});
