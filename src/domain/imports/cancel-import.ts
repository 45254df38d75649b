import { Refusal } from "../../core/refusal.ts";
import { endJob } from "../jobs/cancel-job.ts";
import { memberOperation } from "../operation/operation.ts";
import { ImportId } from "./get-import.ts";
import { IMPORTS, importDoor } from "./import-door.ts";
import { type ImportRow, lockImport, shownImport } from "./import-record.ts";

const CANCEL =
  "UPDATE import SET state = 'cancelled', finished_at = moment() WHERE project_id = $1 AND id = $2";
const STOP_CHECK = "UPDATE import SET state = 'ready', finished_at = NULL WHERE project_id = $1 AND id = $2";

/**
 * Cancels an import between two batches: counted rows stay stored, others are not written. A dry run stops and the
 * import is ready again. Repeating it is no error; refuses (409) an import that has ended otherwise.
 */
export const cancelImport = memberOperation({
  name: "imports.cancel",
  ...IMPORTS,
  input: ImportId,
  async run(context, { id }): Promise<ImportRow> {
    const { db } = await importDoor(context, id);
    const { projectId } = context.caller;
    return await db.transaction(async (tx) => {
      const { state, jobId } = await lockImport(tx, projectId, id);
      if (["done", "failed", "undoing", "undone"].includes(state)) {
        throw new Refusal(
          "conflict",
          "already_ended",
          `This import can no longer be cancelled: it is ${state}.`,
        );
      }
      if (state !== "cancelled") {
        await tx.query(state === "checking" ? STOP_CHECK : CANCEL, [projectId, id]);
        if (jobId !== null) await endJob(tx, { projectId, id: jobId }, "import");
      }
      return await shownImport(tx, context.caller, id);
    });
  },
});
