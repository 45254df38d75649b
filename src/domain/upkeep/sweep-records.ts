import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { batchOf, inBatches } from "../sql/in-batches.ts";
import { everyProject } from "../tenancy/every-project.ts";

const PAST = "moment() - make_interval(days => $2)";

/** What is removed of a table, and the statement that does it. */
interface Records {
  table: string;
  over: string;
  statement: string;
}

function records(table: string, key: string, over: string): Records {
  return { table, over, statement: batchOf(table, key, over) };
}

/** Whether a change still exists, which shows and undoes the record that made it. */
const hasChange = (ids: string): string =>
  `EXISTS (SELECT FROM change c WHERE c.project_id = $1 AND c.id IN (${ids}))`;

/** Imports before their jobs: the state of a failed import is its job's. */
const IMPORTS = records(
  "import",
  "id",
  `project_id = $1 AND created_at < ${PAST} AND coalesce(finished_at, created_at) < ${PAST} AND expires_at <= moment()
    AND state <> 'uploading' AND NOT ${hasChange("change_id, undo_change_id")}
    AND NOT EXISTS (SELECT FROM job j WHERE j.project_id = $1 AND j.id = import.job_id AND j.finished_at IS NULL)`,
);

const JOBS = records(
  "job",
  "id",
  `project_id = $1 AND finished_at < ${PAST} AND coalesce(expires_at, finished_at) < moment() - interval '1 day'
    AND NOT ${hasChange("change_id")}
    AND NOT EXISTS (SELECT FROM import i WHERE i.project_id = $1 AND i.job_id = job.id)`,
);

const KEYS = records("api_key", "id", `project_id = $1 AND least(revoked_at, expires_at) < ${PAST}`);

const INVITATIONS = records("invitation", "id", `project_id = $1 AND expires_at < ${PAST}`);

const OVER = `project_id = $1 AND type = 'lead.erased' AND at < ${PAST}`;

/** Notes the last one that is removed, so that readers of the feed who have not seen it start again. */
const ERASED = `WITH past AS MATERIALIZED (
    SELECT id, tx, coalesce(place, id) AS place FROM tombstone WHERE ${OVER} ORDER BY at LIMIT 1000
  ), noted AS (
    INSERT INTO feed_gap AS g (project_id, tx, id, erased_tx, erased_id)
    SELECT $1, '0', '', tx, place FROM past ORDER BY tx DESC, place DESC LIMIT 1
    ON CONFLICT (project_id) DO UPDATE SET erased_tx = excluded.erased_tx, erased_id = excluded.erased_id
      WHERE g.erased_tx IS NULL OR (g.erased_tx, g.erased_id) < (excluded.erased_tx, excluded.erased_id)
  ), batch AS (
    DELETE FROM tombstone WHERE project_id = $1 AND id IN (SELECT id FROM past) RETURNING 1
  ) SELECT count(*)::integer AS gone FROM batch`;

const GONE = "project_id = $1 AND seen_at < moment() - interval '1 hour'";

/** What killed instances left; signs of life come every few seconds. */
const PRESENCE = `DELETE FROM presence WHERE ${GONE}`;

const ALL: readonly Records[] = [
  ...[IMPORTS, JOBS, KEYS, INVITATIONS],
  { table: "tombstone", over: OVER, statement: ERASED },
];

/** Whether there is anything to remove: most projects have nothing, and looking costs less than writes that find nothing. */
const DUE = `SELECT ${ALL.map(({ table, over }) => `EXISTS (SELECT FROM ${table} WHERE ${over})`).join(" OR ")} AS due,
    EXISTS (SELECT FROM presence WHERE ${GONE}) AS gone
  FROM project WHERE project_id = $1`;

/**
 * Deletes records that are older than RECORD_DAYS: ended imports and jobs, keys and invitations that are not valid any more, and
 * what the feed says of erased leads. One project at a time, because no index spans projects.
 */
export async function sweepRecords({ db, config }: Service): Promise<void> {
  for await (const projectId of everyProject(db)) {
    const own = db.behind(serviceDoor(projectId));
    const values = [projectId, config.recordDays];
    const [found] = await own.query<{ due: boolean; gone: boolean }>(DUE, values, { prepare: true });
    // An import that is removed may have kept its job.
    if (found?.due === true)
      for (const { statement } of ALL) await inBatches(() => own.query(statement, values, { prepare: true }));
    if (found?.gone === true) await own.query(PRESENCE, [projectId]);
  }
}
