import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { cancelledRecord, endJob } from "../jobs/cancel-job.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { type ExportRow, ONE_EXPORT } from "./export-record.ts";
import { ExportId } from "./get-export.ts";

/**
 * Stops a waiting or running export and removes the parts of its file. Cancelling again is not an error; 409 if it
 * has ended otherwise. Returns the export as JSON text.
 */
export const cancelExport = memberOperation({
  name: "exports.cancel",
  needs: "leads:read",
  exports: true,
  input: ExportId,
  async run({ db, caller }, { id }): Promise<string> {
    if (!isId("exp", id)) return await refuse(db, notFound("export"));
    const row = await db.transaction(async (tx) => {
      await endJob(tx, { projectId: caller.projectId, id }, "export");
      return (await tx.query<ExportRow>(ONE_EXPORT, [caller.projectId, id]))[0];
    });
    if (row === undefined) throw notFound("export");
    return cancelledRecord(row.json, "export");
  },
});
