import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { batchOf, inBatches } from "../sql/in-batches.ts";
import { everyProject } from "../tenancy/every-project.ts";
import { settleApprovals } from "./approval.ts";

/** An application can read for a week what became of its proposals. */
const OLD = batchOf(
  "approval",
  "id",
  "project_id = $1 AND created_at < moment() - interval '7 days' AND state NOT IN ('waiting', 'running')",
);

/** Ends proposals that expired or were interrupted, and deletes old ones. */
export async function sweepApprovals({ db }: Service): Promise<void> {
  for await (const projectId of everyProject(db)) {
    const own = db.behind(serviceDoor(projectId));
    await settleApprovals(own, projectId);
    await inBatches(() => own.query(OLD, [projectId], { prepare: true }));
  }
}
