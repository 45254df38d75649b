import { RESTORING } from "../../db/backup/restore-rows.ts";
import type { Service } from "../operation/service/service.ts";
import { type Everything, endEverything } from "./end-everything.ts";

/** Ends what a restored backup brought back to life, and takes away the mark of a restore that has not done so yet. */
export async function finishRestore(service: Service): Promise<Everything> {
  const ended = await endEverything(service);
  await service.db.query("DELETE FROM service_state WHERE key = $1", [RESTORING]);
  return ended;
}

/** Does the same at a start if the restore was interrupted behind the rows. */
export async function finishInterruptedRestore(service: Service): Promise<void> {
  const marks = await service.db.query("SELECT FROM service_state WHERE key = $1", [RESTORING]);
  if (marks.length === 0) return;
  const ended = await finishRestore(service);
  service.log.warn(
    { ended },
    "a restore was interrupted; sessions, tokens and links of its backup were ended now",
  );
}
