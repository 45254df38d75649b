import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { inBatches } from "../sql/in-batches.ts";
import { everyProject } from "../tenancy/every-project.ts";

const BATCH = 1_000;

/** The oldest changes, if they are too old; their items go with them. */
const OLD = `WITH oldest AS (SELECT id, created_at FROM change WHERE project_id = $1 ORDER BY id LIMIT ${BATCH}
  ), batch AS (
    DELETE FROM change WHERE project_id = $1 AND id IN (
      SELECT id FROM oldest WHERE created_at < moment() - $2::integer * interval '1 day') RETURNING 1
  ) SELECT count(*)::integer AS gone FROM batch`;

/** Items of changes that with all later ones exceed `$2` bytes, the oldest first. */
const MANY = `WITH over AS (
    SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS newer FROM change WHERE project_id = $1 AND bytes > 0) AS kept
    WHERE newer > $2::bigint ORDER BY id LIMIT 100
  ), batch AS (
    DELETE FROM change_item WHERE project_id = $1 AND (change_id, id) IN (
      SELECT change_id, id FROM change_item WHERE project_id = $1 AND change_id IN (SELECT id FROM over) LIMIT ${BATCH})
    RETURNING 1
  ), emptied AS (
    UPDATE change SET items_gone_at = coalesce(items_gone_at, moment()),
      bytes = CASE WHEN (SELECT count(*) FROM batch) < ${BATCH} THEN 0 ELSE bytes END
    WHERE project_id = $1 AND id IN (SELECT id FROM over) RETURNING 1
  ) SELECT greatest((SELECT count(*) FROM batch), 10 * (SELECT count(*) FROM emptied))::integer AS gone`;

/** Removes changes that are kept no longer, and the values of the oldest ones of projects that keep too many. */
export async function sweepChanges({ db, config }: Service): Promise<void> {
  const { keptDays, keptBytes } = config.changes;
  for await (const projectId of everyProject(db)) {
    const own = db.behind(serviceDoor(projectId));
    await inBatches(() => own.query(OLD, [projectId, keptDays], { prepare: true }));
    if (keptBytes !== null) await inBatches(() => own.query(MANY, [projectId, keptBytes], { prepare: true }));
  }
}
