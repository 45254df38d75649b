import { serviceDoor } from "../../db/pool/project-door.ts";
import { enqueueLost } from "../jobs/enqueue-job.ts";
import type { Service } from "../operation/service/service.ts";
import { everyProject } from "../tenancy/every-project.ts";

/** Puts jobs that lost their entry back into the queue: no worker would ever run them, and an undo cannot be cancelled. */
export async function enqueueAllLost({ db, log }: Service): Promise<void> {
  for await (const projectId of everyProject(db)) {
    const lost = await enqueueLost(db.behind(serviceDoor(projectId)), projectId);
    if (lost.length > 0) log.warn({ jobs: lost }, "jobs that the queue had lost are in it again");
  }
}
