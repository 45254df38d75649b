import { Type } from "typebox";
import { eventOrigin } from "../../contract/timeline/timeline-query.ts";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { NO_ESTIMATES } from "../fields/project-schema.ts";
import { StatementScope } from "../filter/sql/statement-scope.ts";
import { LeadId, missingLead } from "../leads/read/lead-id.ts";
import { Cursor, type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, memberOperation, refuse } from "../operation/operation.ts";
import { type EventsRow, eventsPageSql, type Mark } from "./events-page.ts";
import { directionOf, Limit, TimelineQuery, timelineSql } from "./timeline-query.ts";

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
      const where = timelineSql(id, selection, scope);
      const page = eventsPageSql(where, scope, { limit, after, direction: directionOf(selection) });
      return `SELECT * FROM (${page}) AS page WHERE EXISTS (SELECT FROM lead WHERE project_id = ${scope.project}
        AND id = ${scope.parameters.text(id)} AND deleted_at IS NULL AND merged_into_id IS NULL)`;
    });
    const [page] = await db.query<EventsRow>(text, scope.parameters.values, { prepare: true });
    if (page === undefined) throw await missingLead(db, caller.projectId, id);
    const mark = page.found > limit ? page.last : null;
    return {
      json: `[${page.json ?? ""}]`,
      nextCursor: mark === null ? null : writeCursor(service, binding, mark),
    };
  },
});
