import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { inBatches } from "../sql/in-batches.ts";
import { everyProject } from "../tenancy/every-project.ts";

/** Limits one statement to about a hundred megabytes. */
const BATCH = 100;

const OVER = `WITH batch AS (
    DELETE FROM job_piece WHERE project_id = $1 AND (job_id, number) IN (
      SELECT job_id, number FROM job_piece JOIN job ON job.project_id = $1 AND job.id = job_id
      WHERE job_piece.project_id = $1 AND job.expires_at <= moment() LIMIT ${BATCH})
    RETURNING 1
  ) SELECT CASE WHEN count(*) = ${BATCH} THEN 1000 ELSE 0 END AS gone FROM batch`;

/** Removes the files of expired exports; the exports themselves are kept as history. */
export async function sweepExports(service: Service): Promise<void> {
  for await (const projectId of everyProject(service.db)) {
    const db = service.db.behind(serviceDoor(projectId));
    await inBatches(() => db.query(OVER, [projectId], { prepare: true }));
  }
}
