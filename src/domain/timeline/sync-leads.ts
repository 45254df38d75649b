import { SyncInput } from "../../contract/timeline/event.ts";
import { ACTIVITY, horizonSql } from "../../db/statements/oldest-running.ts";
import { leadColumns } from "../fields/lead-columns.ts";
import { LAST_ID } from "../live/feed-position.ts";
import { type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { NOT_DELETED } from "../sql/not-deleted.ts";
import { formerEpoch, writeFeedCursor } from "./feed-cursor.ts";

/** A page of all leads as JSON text; the last one has the cursor of the feed instead of the next page's. */
export interface SyncedPage {
  json: string;
  nextCursor: string | null;
  feedCursor: string | null;
}

/** The last lead that was read, and the feed's end in the first page's snapshot. */
interface Mark {
  epoch: string;
  tx: string;
  after: string;
}

interface PageRow {
  epoch: string;
  tx: string;
  json: string | null;
  found: number;
  last: string | null;
}

/**
 * Returns a page of the leads in the order of ids. What is written after the first page's snapshot is in the feed
 * behind the last page's cursor, so that together they lack nothing, whatever the pages in between show of it.
 */
export const syncLeads = memberOperation({
  name: "leads.sync",
  needs: "leads:read",
  input: SyncInput,
  async run({ service, db, caller }, { limit = 500, cursor }): Promise<SyncedPage> {
    const { projectId } = caller;
    const binding: CursorBinding = [projectId, "leads.sync"];
    const mark = await checked({ db }, () =>
      cursor === undefined ? undefined : readCursor<Mark>(service, binding, cursor),
    );
    const options = { prepare: true, ahead: [ACTIVITY] };
    const end = await db.feedEnd();
    const values = [projectId, mark?.after ?? "", limit, ...(end === undefined ? [] : [end])];
    const [page] = await db.query<PageRow>(end === undefined ? PAGE : PAGE_TO_END, values, options);
    if (page === undefined) throw new Error("the database answered no page");
    const { epoch, json, found, last } = page;
    if (mark !== undefined && mark.epoch !== epoch) throw formerEpoch();
    const tx = mark?.tx ?? page.tx;
    const hasMore = found > limit && last !== null;
    return {
      json: `[${json ?? ""}]`,
      nextCursor: hasMore ? writeCursor(service, binding, { epoch, tx, after: last } satisfies Mark) : null,
      feedCursor: hasMore ? null : writeFeedCursor(service, projectId, undefined, { epoch, tx, id: LAST_ID }),
    };
  },
});

const pageSql = (ahead?: string): string => `WITH horizon AS MATERIALIZED (${horizonSql(ahead)})
  SELECT (SELECT value FROM service_state WHERE key = 'epoch') AS epoch,
    (SELECT (tx::text::numeric - 1)::text FROM horizon) AS tx, found, last, json
  FROM (
    SELECT array_to_string((array_agg(line))[1:$3::integer], ',') AS json, count(*)::integer AS found,
      (array_agg(id))[$3::integer] AS last
    FROM (SELECT id, row_to_json(shown)::text AS line FROM (SELECT ${leadColumns(undefined)} FROM lead
      WHERE project_id = $1 AND id > $2 AND ${NOT_DELETED} ORDER BY id LIMIT $3::bigint + 1) AS shown) AS lines
  ) AS page`;

const PAGE = pageSql();
const PAGE_TO_END = pageSql("$4::xid8");
