import { Type } from "typebox";
import { eventOrigin } from "../../contract/timeline/timeline-query.ts";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { NO_ESTIMATES } from "../fields/project-schema.ts";
import { StatementScope } from "../filter/sql/statement-scope.ts";
import { LeadId, missingLead } from "../leads/read/lead-id.ts";
import { Cursor, type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, memberOperation, refuse } from "../operation/operation.ts";
import { EVENT_COLUMNS } from "./shown-event.ts";
import { directionOf, Limit, TimelineQuery, type TimelineSelection, timelineSql } from "./timeline-query.ts";

/** The last event of a page. */
type Mark = readonly [at: string, id: string];

interface PageRow {
  json: string | null;
  found: number;
  last: Mark | null;
}

/** A page of a lead's timeline after a cursor, newest first by default. */
export const listEvents = memberOperation({
  name: "timeline.list",
  needs: "leads:read",
  input: Type.Object(
    { id: LeadId, limit: Limit, cursor: Cursor, ...TimelineQuery, ...eventOrigin },
    { additionalProperties: false },
  ),
  async run(
    { service, db, caller },
    { id, limit = 50, cursor, ...selection },
  ): Promise<{ json: string; nextCursor: string | null }> {
    if (!isId("lead", id)) return await refuse(db, notFound("lead"));
    const { types = null, from = null, to = null, order = "desc" } = selection;
    const { source = null, actor = null, field = null } = selection;
    const chosen = [types, from, to, order, source, actor, field];
    const binding: CursorBinding = [caller.projectId, "timeline.list", id, ...chosen];
    const scope = new StatementScope(caller.projectId, undefined, { ...NO_ESTIMATES, wanted: 0 });
    const text = await checked({ db }, () => {
      const after = cursor === undefined ? undefined : readCursor<Mark>(service, binding, cursor);
      return pageSql(id, selection, scope, limit, after);
    });
    const [page] = await db.query<PageRow>(text, scope.parameters.values, { prepare: true });
    if (page === undefined) throw await missingLead(db, caller.projectId, id);
    const mark = page.found > limit ? page.last : null;
    return {
      json: `[${page.json ?? ""}]`,
      nextCursor: mark === null ? null : writeCursor(service, binding, mark),
    };
  },
});

function pageSql(
  id: string,
  selection: TimelineSelection,
  scope: StatementScope,
  limit: number,
  after: Mark | undefined,
): string {
  const { parameters } = scope;
  const direction = directionOf(selection);
  const [at, last] = after ?? [];
  const behind =
    at === undefined || last === undefined
      ? ""
      : ` AND (e.occurred_at, e.id) ${direction === "ASC" ? ">" : "<"} (${parameters.text(at)}::timestamptz, ${parameters.text(last)})`;
  const most = parameters.add(limit);
  return `SELECT json, found, last FROM (
      SELECT array_to_string((array_agg(line))[1:${most}::integer], ',') AS json, count(*)::integer AS found,
        (array_agg(mark))[${most}::integer] AS last
      FROM (SELECT row_to_json(shown)::text AS line, jsonb_build_array(occurred_at::text, id) AS mark FROM (
        SELECT ${EVENT_COLUMNS} FROM event e WHERE ${timelineSql(id, selection, scope)}${behind}
        ORDER BY e.occurred_at ${direction}, e.id ${direction} LIMIT ${most}::bigint + 1) AS shown) AS lines
    ) AS page
    WHERE EXISTS (SELECT FROM lead WHERE project_id = ${scope.project} AND id = ${parameters.text(id)}
      AND deleted_at IS NULL AND merged_into_id IS NULL)`;
}
