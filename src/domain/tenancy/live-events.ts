import type { Database } from "../../db/pool/database.ts";
import { ACTIVITY, FEED_END } from "../../db/statements/oldest-running.ts";
import { type FeedPlace, feedEventSql, feedRowsSql } from "../sql/feed-sql.ts";

/** Where the reading of a project's feed stands; without `tx` it starts at the feed's end. */
export interface ProjectMark {
  projectId: string;
  tx: string | undefined;
  id: string;
}

/** An event of a project's feed, as the JSON text of a FeedEvent, with its place in the order of transactions. */
export interface CommittedEvent {
  tx: string;
  id: string;
  leadId: string;
  type: string;
  json: string;
}

interface Row extends CommittedEvent {
  /** The last transaction before the oldest that is still running: all up to it were read. */
  end: string;
  epoch: string;
  /** The place of the project among the marks, from 1; null if there is no event. */
  n: number | null;
}

/** What was committed after each mark, in its order; `end` is a feed's end for marks with fewer events than the limit. */
export interface Committed {
  end: string;
  epoch: string;
  events: CommittedEvent[][];
}

const PLACE: FeedPlace = { project: "m.project_id", table: (name) => `store.${name}` };

/** Without statistics of new tables, the planner would sort all events of a project. */
const BY_INDEX = { text: "SELECT set_config('enable_seqscan', 'off', true)", values: [] };

const POLL = `WITH horizon AS MATERIALIZED (SELECT ${FEED_END} AS tx), found AS (
    SELECT m.n::integer AS n, e.tx, e.id, e.lead_id, e.type, ${feedEventSql(PLACE)} AS json
    FROM unnest($1::text[], $2::xid8[], $3::text[]) WITH ORDINALITY AS m (project_id, tx, id, n)
    CROSS JOIN LATERAL (
      ${feedRowsSql(PLACE, "(e.tx, e.id) > (m.tx, m.id) AND e.tx < (SELECT tx FROM horizon)", "$4::bigint")}
    ) AS e
  )
  SELECT (horizon.tx::text::numeric - 1)::text AS "end",
    (SELECT value FROM leadgate.service_state WHERE key = 'epoch') AS epoch,
    found.n, found.tx::text AS tx, found.id, found.lead_id AS "leadId", found.type, found.json
  FROM horizon LEFT JOIN found ON true ORDER BY found.n, found.tx, found.id`;

/**
 * Reads what was committed in several projects since their marks, at most `limit` events of each, in one statement.
 * Reads tables of `store`, because it serves all readers of the process; each reader passed its own door before.
 */
export async function readCommitted(
  db: Database,
  marks: readonly ProjectMark[],
  limit: number,
): Promise<Committed> {
  const values = [
    marks.map(({ projectId }) => projectId),
    marks.map(({ tx }) => tx ?? null),
    marks.map(({ id }) => id),
    limit,
  ];
  const rows = await db.together<Row>([BY_INDEX, ACTIVITY, { text: POLL, values }]);
  const [first] = rows;
  if (first === undefined) throw new Error("the database answered no end of the feed");
  const events: CommittedEvent[][] = marks.map(() => []);
  for (const { n, tx, id, leadId, type, json } of rows)
    if (n !== null) events[n - 1]?.push({ tx, id, leadId, type, json });
  return { end: first.end, epoch: first.epoch, events };
}
