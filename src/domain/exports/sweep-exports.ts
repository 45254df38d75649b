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

/** How long a download that began before its file expired may still take. */
const GRACE = "interval '1 hour'";

/** Pieces of files that expired before the grace, or that with all files that expired later exceed `$2` bytes. */
const OVER = batchOf(`SELECT job_id, number FROM job_piece JOIN (
    SELECT id, expires_at, sum((result -> 'bytes')::bigint) OVER (ORDER BY expires_at DESC, finished_at DESC, id DESC) AS newer
    FROM job WHERE project_id = $1 AND expires_at <= moment()
  ) AS expired ON expired.id = job_id
  WHERE job_piece.project_id = $1 AND (expires_at <= moment() - ${GRACE} OR newer > $2::bigint)`);

const OF_ONE = batchOf("SELECT job_id, number FROM job_piece WHERE project_id = $1 AND job_id = $2");

/** Removes the files of expired exports; the exports themselves are kept as history. */
export async function sweepExports(service: Service): Promise<void> {
  for await (const projectId of everyProject(service.db)) {
    await clearExpired(service, projectId);
  }
}

/**
 * Removes the files of a project's exports that expired an hour ago, in small statements. Downloads that have begun thus go
 * on; but the files kept for them have no more bytes than the project may keep.
 */
export async function clearExpired({ db, config }: Service, projectId: string): Promise<void> {
  const own = db.behind(serviceDoor(projectId));
  await inBatches(() => own.query(OVER, [projectId, config.exports.keptBytes], { prepare: true }));
}

/** Removes what an export has stored of its file, in small statements. */
export async function clearFile(db: ProjectDb, { projectId, id }: JobRef): Promise<void> {
  await inBatches(() => db.query(OF_ONE, [projectId, id], { prepare: true }));
}
