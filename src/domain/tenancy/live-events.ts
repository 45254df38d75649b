import type { Database } from "../../db/pool/database.ts";
import { ACTIVITY, CLUSTER_FEED_END, horizonSql } from "../../db/statements/oldest-running.ts";
import { type FeedPlace, feedEventSql, feedRowsSql } from "../sql/feed-sql.ts";

/** Where the reading of a project's feed stands; without `tx` it starts at the feed's end. */
export interface ProjectMark {
  projectId: string;
  tx: string | undefined;
  id: string;
}

/** An event of a project's feed, as the JSON text of a FeedEvent, with its position. */
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

const POLL = `WITH horizon AS MATERIALIZED (${horizonSql(undefined)}), found AS (
    SELECT m.n::integer AS n, e.tx, e.place AS id, e.lead_id, e.type, ${feedEventSql(PLACE)} AS json
    FROM unnest($1::text[], $2::xid8[], $3::text[]) WITH ORDINALITY AS m (project_id, tx, id, n)
    CROSS JOIN LATERAL (
      ${feedRowsSql(PLACE, { after: ["m.tx", "m.id"], before: "(SELECT tx FROM horizon)", limit: "$4::bigint" })}
    ) AS e
  )
  SELECT (horizon.tx::text::numeric - 1)::text AS "end",
    (SELECT value FROM leadgate.service_state WHERE key = 'epoch') AS epoch,
    found.n, found.tx::text AS tx, found.id, found.lead_id AS "leadId", found.type, found.json
  FROM horizon LEFT JOIN found ON true ORDER BY found.n, found.tx, found.id`;

/** The feed's end, for a cluster: the coordinator numbers the feeds of all projects. */
const END = `SELECT tx::text AS tx, (tx::text::numeric - 1)::text AS "end",
    (SELECT value FROM leadgate.service_state WHERE key = 'epoch') AS epoch
  FROM (${CLUSTER_FEED_END} OFFSET 0) AS horizon`;

const OWN: FeedPlace = { project: "$1", table: (name) => `store.${name}` };

/** The events of one project, which one node of a cluster has. */
const POLL_ONE = `SELECT e.tx::text AS tx, e.place AS id, e.lead_id AS "leadId", e.type, ${feedEventSql(OWN)} AS json
  FROM (${feedRowsSql(OWN, { after: ["$2::xid8", "$3"], before: "$5::xid8", limit: "$4::bigint" })}) AS e ORDER BY e.tx, e.place`;

/**
 * Reads what was committed in several projects since their marks, at most `limit` events of each: in one statement, or on a
 * cluster in one for each project behind one for the end. Reads tables of `store`, because it serves all readers of the process;
 * each reader passed its own door before.
 */
export async function readCommitted(
  db: Database,
  marks: readonly ProjectMark[],
  limit: number,
): Promise<Committed> {
  if (db.isDistributed) return await readCommittedOfEach(db, marks, limit);
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

async function readCommittedOfEach(
  db: Database,
  marks: readonly ProjectMark[],
  limit: number,
): Promise<Committed> {
  const [last] = await db.together<{ tx: string; end: string; epoch: string }>([
    ACTIVITY,
    { text: END, values: [] },
  ]);
  if (last === undefined) throw new Error("the database answered no end of the feed");
  const { tx: horizon, end, epoch } = last;
  const events = await Promise.all(
    marks.map(async ({ projectId, tx, id }) =>
      tx === undefined
        ? []
        : await db.together<CommittedEvent>([
            { text: POLL_ONE, values: [projectId, tx, id, limit, horizon] },
          ]),
    ),
  );
  return { end, epoch, events };
}
