import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { inBatches } from "../sql/in-batches.ts";
import { everyProject } from "../tenancy/every-project.ts";

const BATCH = 1_000;

/** A change that a job is undoing needs its values until the job has ended. */
const IDLE = `NOT EXISTS (SELECT FROM change u JOIN job j ON j.project_id = $1 AND j.id = u.job_id AND j.state IN ('waiting', 'running')
  WHERE u.project_id = $1 AND u.id = c.undone_by)`;

/** Notes the last of the removed items that the feed told, so that readers who have not seen it begin again. */
const NOTED = (removed: string): string => `INSERT INTO feed_gap AS g (project_id, tx, id)
  SELECT $1, i.tx, coalesce(i.place, i.id) FROM change_item i WHERE i.project_id = $1 AND i.told AND ${removed} ORDER BY 2 DESC, 3 DESC LIMIT 1
  ON CONFLICT (project_id) DO UPDATE SET tx = excluded.tx, id = excluded.id WHERE (g.tx, g.id) < (excluded.tx, excluded.id)`;

/** The oldest changes, if they are too old; their items go with them. */
const OLD = `WITH oldest AS (SELECT c.id, c.created_at, ${IDLE} AS idle FROM change c WHERE project_id = $1 ORDER BY id LIMIT ${BATCH}
  ), past AS MATERIALIZED (SELECT id FROM oldest WHERE idle AND created_at < moment() - $2::integer * interval '1 day'
  ), noted AS (${NOTED("i.change_id IN (SELECT id FROM past)")}
  ), batch AS (
    DELETE FROM change WHERE project_id = $1 AND id IN (SELECT id FROM past) RETURNING 1
  ) SELECT count(*)::integer AS gone FROM batch`;

/** Removes a batch of the items of changes that `over` selects, and marks these. */
const emptied = (over: string): string => `WITH over AS (${over}
  ), past AS MATERIALIZED (
    SELECT change_id, id FROM change_item WHERE project_id = $1 AND change_id IN (SELECT id FROM over) LIMIT ${BATCH}
  ), noted AS (${NOTED("(i.change_id, i.id) IN (SELECT change_id, id FROM past)")}
  ), batch AS (
    DELETE FROM change_item WHERE project_id = $1 AND (change_id, id) IN (SELECT change_id, id FROM past) RETURNING 1
  ), counted AS MATERIALIZED (SELECT count(*) AS gone, moment() AS now FROM batch
  ), marked AS (
    UPDATE change SET items_gone_at = coalesce(items_gone_at, now), bytes = CASE WHEN gone < ${BATCH} THEN 0 ELSE bytes END
    FROM counted WHERE project_id = $1 AND id IN (SELECT id FROM over) RETURNING 1
  ) SELECT greatest((SELECT gone FROM counted), 10 * (SELECT count(*) FROM marked))::integer AS gone`;

/** Changes that with all later ones exceed `$2` bytes, the oldest first. */
const MANY =
  emptied(`SELECT id FROM (SELECT id, undone_by, sum(bytes) OVER (ORDER BY id DESC) AS newer FROM change WHERE project_id = $1 AND bytes > 0) AS c
    WHERE newer > $2::bigint AND ${IDLE} ORDER BY id LIMIT 100`);

/** Large ones among those that OLD removes next: a million items that go with their change would hold up others, or take too long. */
const LARGE =
  emptied(`SELECT id FROM (SELECT * FROM change WHERE project_id = $1 ORDER BY id LIMIT ${BATCH}) AS c
    WHERE bytes > 10000 AND created_at < moment() - $2::integer * interval '1 day' AND ${IDLE} ORDER BY id LIMIT 100`);

/** Whether there is anything to remove: most projects have nothing, and looking costs less than three writes that find nothing. */
const DUE = `SELECT EXISTS (SELECT FROM (SELECT created_at FROM change WHERE project_id = $1 ORDER BY id LIMIT ${BATCH}) AS oldest
      WHERE created_at < moment() - $2::integer * interval '1 day') AS old,
    (SELECT sum(bytes) > $3::bigint FROM change WHERE project_id = $1 AND bytes > 0) AS many
  FROM project WHERE project_id = $1`;

/** Removes changes that are kept no longer, and the values of the oldest ones of projects that keep too many. */
export async function sweepChanges({ db, config }: Service): Promise<void> {
  const { keptDays, keptBytes } = config.changes;
  for await (const projectId of everyProject(db)) {
    const own = db.behind(serviceDoor(projectId));
    const [due] = await own.query<{ old: boolean; many: boolean | null }>(
      DUE,
      [projectId, keptDays, keptBytes],
      { prepare: true },
    );
    if (due?.old === true)
      await inBatches(async () => {
        await inBatches(() => own.query(LARGE, [projectId, keptDays], { prepare: true }));
        return await own.query(OLD, [projectId, keptDays], { prepare: true });
      });
    if (due?.many === true) await inBatches(() => own.query(MANY, [projectId, keptBytes], { prepare: true }));
  }
}
