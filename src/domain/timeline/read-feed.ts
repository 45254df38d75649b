import { type Static, Type } from "typebox";
import { Refusal } from "../../core/refusal.ts";
import { ACTIVITY, OLDEST_RUNNING } from "../../db/pool/oldest-running.ts";
import { NO_ESTIMATES } from "../fields/project-schema.ts";
import { readTypes } from "../filter/read/read-event.ts";
import { typeSql } from "../filter/sql/event-sql.ts";
import { StatementScope } from "../filter/sql/statement-scope.ts";
import { Cursor, type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { bad } from "../values/bad-input.ts";
import { EVENT_COLUMNS } from "./shown-event.ts";
import { Limit, Types } from "./timeline-query.ts";

const FeedQuery = Type.Object(
  {
    limit: Limit,
    cursor: Cursor,
    types: Types,
    since: Type.Optional(
      Type.Union([Type.Literal("beginning"), Type.Literal("now")], {
        description: "Where to start without a cursor; defaults to beginning.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** A page of the feed. It always has a cursor: later events come after it. */
export interface FeedPage {
  json: string;
  nextCursor: string;
  hasMore: boolean;
}

/** The position of a reader in the order of transactions: the event that was read last, and the epoch. */
interface Mark {
  epoch: string;
  tx: string;
  id: string;
}

interface PageRow {
  epoch: string;
  json: string | null;
  has_more: boolean;
  tx: string;
  id: string;
}

/** With a filter on types, a page reads at most this many events and may be empty. */
const LOOKED_AT = 20_000;
/** The last word on a lead that is gone, in the columns of events: it was erased, or merged into another one. */
const TOMBSTONE = `e.id, e.lead_id, e.type, e.at AS occurred_at, e.at AS recorded_at, e.source, e.actor,
  CASE e.type WHEN 'lead.merged' THEN 'Merged into another lead' ELSE 'Lead erased' END AS title,
  CASE e.type WHEN 'lead.merged' THEN jsonb_build_object('survivor_id', e.survivor_id) ELSE '{}' END AS data,
  NULL AS external_id, NULL AS merged_from, e.tx`;

/** Sorts after every id. */
const LAST = "~";

/**
 * The project's events in the order of their commits, as a change feed. It ends before the oldest running
 * transaction, so that one which commits late is neither skipped nor repeated. Of an erased lead it has `lead.erased`.
 */
export const readFeed = memberOperation({
  name: "timeline.feed",
  needs: "leads:read",
  input: FeedQuery,
  async run({ service, db, caller }, query): Promise<FeedPage> {
    const { limit = 50, types, cursor } = query;
    const binding: CursorBinding = [caller.projectId, "timeline.feed", types ?? null];
    const scope = new StatementScope(caller.projectId, undefined, { ...NO_ESTIMATES, wanted: 0 });
    const { mark, text } = await checked({ db }, () => {
      if (cursor !== undefined && query.since !== undefined)
        bad("$.since", "unexpected", "is allowed only without a cursor");
      const mark = cursor === undefined ? undefined : readCursor<Mark>(service, binding, cursor);
      return { mark, text: pageSql(query, mark, limit, scope) };
    });
    const [page] = await db.query<PageRow>(text, scope.parameters.values, {
      prepare: true,
      ahead: ACTIVITY,
    });
    if (page === undefined) throw new Error("the database answered no page");
    const { epoch, tx, id } = page;
    if (mark !== undefined && mark.epoch !== epoch) throw formerEpoch();
    return {
      json: `[${page.json ?? ""}]`,
      hasMore: page.has_more,
      nextCursor: writeCursor(service, binding, { epoch, tx, id } satisfies Mark),
    };
  },
});

const formerEpoch = (): Refusal =>
  new Refusal(
    "malformed",
    "cursor_of_former_epoch",
    "A backup was restored after this cursor was issued, so events may be missing or repeated. Start without a cursor.",
    {
      faults: [
        { path: "$.cursor", code: "cursor_of_former_epoch", message: "is older than the restored backup" },
      ],
    },
  );

/**
 * `looked` are the events after the mark, `told` the wanted ones among them. A page that reached the end sets its
 * cursor to the end of its snapshot, so that the next page does not read the same events again.
 */
function pageSql(
  { types, since }: Static<typeof FeedQuery>,
  mark: Mark | undefined,
  limit: number,
  scope: StatementScope,
): string {
  const { parameters } = scope;
  const end = "(SELECT tx FROM horizon)";
  const before = `(${end}::text::numeric - 1)::text`;
  const begins =
    since === "now"
      ? "false"
      : `(e.tx, e.id) > (${parameters.text(mark?.tx ?? "0")}::xid8, ${parameters.text(mark?.id ?? "")})`;
  const most = parameters.add(limit);
  const bound = types === undefined ? `${most}::bigint + 1` : `${LOOKED_AT}`;
  const wanted = types === undefined ? "true" : typeSql(readTypes(types, "$.types"), scope).join(" AND ");
  const full = types === undefined ? "false" : `(SELECT count(*) FROM looked) = ${LOOKED_AT}`;
  const rows = (columns: string, table: string) => `(SELECT ${columns} FROM ${table} e
      WHERE e.project_id = ${scope.project} AND ${begins} AND e.tx < ${end} ORDER BY e.tx, e.id LIMIT ${bound})`;
  return `WITH horizon AS MATERIALIZED (SELECT ${OLDEST_RUNNING} AS tx), looked AS MATERIALIZED (
      SELECT e.* FROM (${rows(`${EVENT_COLUMNS}, e.tx`, "event")} UNION ALL ${rows(TOMBSTONE, "tombstone")}) AS e
      ORDER BY e.tx, e.id LIMIT ${bound}
    ), told AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY e.tx, e.id) AS n, e.* FROM looked e WHERE ${wanted} ORDER BY e.tx, e.id LIMIT ${most}::bigint + 1
    ), page AS (
      SELECT (SELECT count(*) FROM told) > ${most}::bigint AS cut, ${full} AS looked_full
    )
    SELECT (SELECT value FROM service_state WHERE key = 'epoch') AS epoch,
      (SELECT string_agg((SELECT row_to_json(shown)::text FROM (SELECT ${EVENT_COLUMNS}) AS shown), ',' ORDER BY n)
        FROM told e WHERE n <= ${most}::bigint) AS json,
      cut OR looked_full AS has_more,
      CASE WHEN cut THEN (SELECT tx::text FROM told WHERE n = ${most}::bigint)
        WHEN looked_full THEN (SELECT max(tx)::text FROM looked) ELSE ${before} END AS tx,
      CASE WHEN cut THEN (SELECT id FROM told WHERE n = ${most}::bigint)
        WHEN looked_full THEN (SELECT id FROM looked ORDER BY tx DESC, id DESC LIMIT 1) ELSE '${LAST}' END AS id
    FROM page`;
}
