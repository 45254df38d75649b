import type { ProjectDb } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import type { JobRef } from "../jobs/job.ts";
import type { Service } from "../operation/service/service.ts";
import { inBatches } from "../sql/in-batches.ts";
import { everyProject } from "../tenancy/every-project.ts";

/** Limits one statement to about a hundred megabytes. */
const BATCH = 100;

const batchOf = (found: string): string => `WITH batch AS (
    DELETE FROM job_piece WHERE project_id = $1 AND (job_id, number) IN (${found} LIMIT ${BATCH})
    RETURNING 1
  ) SELECT CASE WHEN count(*) = ${BATCH} THEN 1000 ELSE 0 END AS gone FROM batch`;

const OVER = batchOf(`SELECT job_id, number FROM job_piece JOIN job ON job.project_id = $1 AND job.id = job_id
  WHERE job_piece.project_id = $1 AND job.expires_at <= moment()`);

const OF_ONE = batchOf("SELECT job_id, number FROM job_piece WHERE project_id = $1 AND job_id = $2");

/** Removes the files of expired exports; the exports themselves are kept as history. */
export async function sweepExports(service: Service): Promise<void> {
  for await (const projectId of everyProject(service.db)) {
    await clearExpired(service.db.behind(serviceDoor(projectId)), projectId);
  }
}

/** Removes the files of a project's expired exports, in small statements. */
export async function clearExpired(db: ProjectDb, projectId: string): Promise<void> {
  await inBatches(() => db.query(OVER, [projectId], { prepare: true }));
}

/** Removes what an export has stored of its file, in small statements. */
export async function clearFile(db: ProjectDb, { projectId, id }: JobRef): Promise<void> {
  await inBatches(() => db.query(OF_ONE, [projectId, id], { prepare: true }));
}
