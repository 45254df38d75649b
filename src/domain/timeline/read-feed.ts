import { Type } from "typebox";
import { types } from "../../contract/timeline/timeline-query.ts";
import { ACTIVITY, horizonSql } from "../../db/statements/oldest-running.ts";
import { leadColumns } from "../fields/lead-columns.ts";
import { NO_ESTIMATES } from "../fields/project-schema.ts";
import { readTypes } from "../filter/read/read-event.ts";
import { typeSql } from "../filter/sql/event-sql.ts";
import { StatementScope } from "../filter/sql/statement-scope.ts";
import { isAfter, LAST_ID } from "../live/feed-position.ts";
import { Cursor } from "../operation/cursor.ts";
import { checked, type MemberContext, memberOperation } from "../operation/operation.ts";
import { type FeedPlace, feedEventSql, feedRowsSql } from "../sql/feed-sql.ts";
import { NOT_DELETED } from "../sql/not-deleted.ts";
import { bad } from "../values/bad-input.ts";
import { expiredCursor, type FeedMark, formerEpoch, readFeedCursor, writeFeedCursor } from "./feed-cursor.ts";
import { Limit } from "./timeline-query.ts";
import { typeTest } from "./wanted-types.ts";

const FeedQuery = Type.Object(
  {
    limit: Limit,
    cursor: Cursor,
    types,
    since: Type.Optional(
      Type.Union([Type.Literal("beginning"), Type.Literal("now")], {
        description: "Where to start without a cursor; defaults to beginning.",
      }),
    ),
    snapshot: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** A page of the feed. It always has a cursor: later events come after it. */
export interface FeedPage {
  json: string;
  /** The present leads of the page, if they were requested. */
  leads: string | undefined;
  nextCursor: string;
  hasMore: boolean;
}

/** Which events a page of the feed has, and after which position. */
export interface FeedSelection {
  types: readonly string[] | undefined;
  since?: "beginning" | "now" | undefined;
  snapshot?: boolean | undefined;
  /** Whether each event is on a line of its own, after its position. */
  lines?: true;
  limit: number;
  mark: FeedMark | undefined;
}

/** A page of the feed as the database answers it; the position is that of its end. */
export interface FeedRow extends FeedMark {
  json: string | null;
  leads: string | null;
  has_more: boolean;
  /** The feed's end in the page's snapshot. */
  end: string;
  /** Whether something behind the mark is not kept any more that the reader has not seen. */
  expired: boolean;
}

/** With a filter on types, a page reads at most this many events and may be empty. */
const LOOKED_AT = 20_000;

/**
 * The project's events in the order of their commits, as a change feed: those of one lead in the order in which they happened. It ends before the oldest running
 * transaction, so that one which commits late is neither skipped nor repeated. Besides events it has changes of untracked
 * fields, and the last word on leads that were erased or merged.
 */
export const readFeed = memberOperation({
  name: "timeline.feed",
  needs: "leads:read",
  input: FeedQuery,
  async run(context, query): Promise<FeedPage> {
    const { service, caller } = context;
    const { limit = 50, types, since, snapshot, cursor } = query;
    const page = await readFeedPage(context, () => {
      if (cursor !== undefined && query.since !== undefined)
        bad("$.since", "unexpected", "is allowed only without a cursor");
      const mark =
        cursor === undefined ? undefined : readFeedCursor(service, caller.projectId, types, cursor);
      return { types, since, snapshot, limit, mark };
    });
    return {
      json: `[${page.json ?? ""}]`,
      leads: snapshot === true ? `[${page.leads ?? ""}]` : undefined,
      hasMore: page.has_more,
      nextCursor: writeFeedCursor(service, caller.projectId, types, page),
    };
  },
});

/** Reads a page of the feed behind the caller's door; `select` may refuse the input. */
export async function readFeedPage(
  { db, caller }: Pick<MemberContext, "db" | "caller">,
  select: () => FeedSelection,
): Promise<FeedRow> {
  const scope = new StatementScope(caller.projectId, undefined, { ...NO_ESTIMATES, wanted: 0 });
  const end = await db.feedEnd();
  const { mark, text } = await checked({ db }, () => {
    const selection = select();
    return { mark: selection.mark, text: pageSql(selection, scope, end) };
  });
  const options = { prepare: true, ahead: [ACTIVITY] };
  const [page] = await db.query<FeedRow>(text, scope.parameters.values, options);
  if (page === undefined) throw new Error("the database answered no page");
  if (mark !== undefined && mark.epoch !== page.epoch) throw formerEpoch();
  if (page.expired) throw expiredCursor();
  // While `restored` goes on, a connection may number transactions as before for a moment: a reader never goes back.
  if (mark !== undefined && isAfter(mark, page)) Object.assign(page, { tx: mark.tx, id: mark.id });
  // Only a reader on its way may have begun before what it will not be told.
  return page.has_more ? { ...page, from: mark === undefined ? page.end : mark.from } : page;
}

/**
 * `looked` are the events after the mark, `told` the wanted ones among them. A page that reached the end sets its
 * cursor to the end of its snapshot, so that the next page does not read the same events again.
 */
function pageSql(selection: FeedSelection, scope: StatementScope, ahead: string | undefined): string {
  const { types, since, snapshot, lines, mark, limit } = selection;
  const { parameters } = scope;
  const end = "(SELECT tx FROM horizon)";
  const before = `(${end}::text::numeric - 1)::text`;
  const [tx, id] = [mark?.tx ?? "0", mark?.id ?? ""].map((each) => parameters.text(each)) as [string, string];
  const ends = since === "now" ? "'0'" : end;
  const most = parameters.add(limit);
  const bound = types === undefined ? `${most}::bigint + 1` : `${LOOKED_AT}`;
  const wanted = types === undefined ? "true" : typeSql(readTypes(types, "$.types"), scope).join(" AND ");
  const full = types === undefined ? "false" : `(SELECT count(*) FROM looked) = ${LOOKED_AT}`;
  const event = (place: FeedPlace) =>
    lines === true
      ? `e.tx || ' ' || e.place || ' ' || ${feedEventSql(place)}, E'\\n'`
      : `${feedEventSql(place)}, ','`;
  const place: FeedPlace = { project: scope.project, table: (name) => name };
  return `WITH horizon AS MATERIALIZED (${horizonSql(ahead && parameters.as(ahead, "xid8"))}), looked AS MATERIALIZED (
      ${feedRowsSql(place, { after: [`${tx}::xid8`, id], before: ends, limit: bound })}
    ), told AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY e.tx, e.place) AS n, e.* FROM looked e WHERE ${wanted} ORDER BY e.tx, e.place LIMIT ${most}::bigint + 1
    ), page AS (
      SELECT (SELECT count(*) FROM told) > ${most}::bigint AS cut, ${full} AS looked_full
    )
    SELECT (SELECT value FROM service_state WHERE key = 'epoch') AS epoch, ${before} AS end, ${expiredSql(scope, selection)} AS expired,
      (SELECT string_agg(${event(place)} ORDER BY n) FROM told e WHERE n <= ${most}::bigint) AS json,
      ${snapshot === true ? leadsSql(scope, most) : "NULL"} AS leads,
      cut OR looked_full AS has_more,
      CASE WHEN cut THEN (SELECT tx::text FROM told WHERE n = ${most}::bigint)
        WHEN looked_full THEN (SELECT max(tx)::text FROM looked) ELSE ${before} END AS tx,
      CASE WHEN cut THEN (SELECT place FROM told WHERE n = ${most}::bigint)
        WHEN looked_full THEN (SELECT place FROM looked ORDER BY tx DESC, place DESC LIMIT 1) ELSE '${LAST_ID}' END AS id
    FROM page`;
}

/** What the feed reads from items of changes and of erased leads, and the columns of its last place that was removed. */
const KEPT_FOR_A_TIME = [
  { types: ["lead.updated", "lead.event_withdrawn"], tx: "g.tx", id: "g.id" },
  { types: ["lead.erased"], tx: "g.erased_tx", id: "g.erased_id" },
];

/** SQL for whether something behind the mark is not kept any more that the reader wants and began before. */
function expiredSql({ parameters, project }: StatementScope, { mark, types }: FeedSelection): string {
  const wanted = KEPT_FOR_A_TIME.filter((each) => each.types.some(typeTest(types)));
  if (mark === undefined || wanted.length === 0) return "false";
  const place = `(${parameters.text(mark.tx)}::xid8, ${parameters.text(mark.id)})`;
  const from = mark.from === undefined ? undefined : `${parameters.text(mark.from)}::xid8`;
  const missed = wanted.map(({ tx, id }) => {
    const behind = `(${tx}, ${id}) > ${place}`;
    return from === undefined ? behind : `(${behind} AND ${tx} > ${from})`;
  });
  return `EXISTS (SELECT FROM feed_gap g WHERE g.project_id = ${project} AND (${missed.join(" OR ")}))`;
}

/** SQL for the leads that the page's events name, as GET shows them; one that is gone is left out. */
const leadsSql = (scope: StatementScope, most: string): string =>
  `(SELECT string_agg((SELECT row_to_json(shown)::text FROM (SELECT ${leadColumns(undefined)} FROM lead
        WHERE project_id = ${scope.project} AND id = named.id AND ${NOT_DELETED}) AS shown), ',' ORDER BY named.id)
      FROM (SELECT DISTINCT lead_id AS id FROM told WHERE n <= ${most}::bigint) AS named)`;
