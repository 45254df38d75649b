import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { NO_ESTIMATES } from "../fields/project-schema.ts";
import { TOGETHER } from "../filter/sql/page-sql.ts";
import { StatementScope } from "../filter/sql/statement-scope.ts";
import { LeadId, missingLead } from "../leads/read/lead-id.ts";
import { checked, memberOperation, refuse } from "../operation/operation.ts";
import { BOUND, type OffsetPage, type OffsetRow, offsetPage } from "../operation/page.ts";
import { TIMELINE_COLUMNS } from "./shown-event.ts";
import { directionOf, Limit, TimelineQuery, type TimelineSelection, timelineSql } from "./timeline-query.ts";

/** A page of a lead's timeline at an offset, newest first by default. */
export const readTimeline = memberOperation({
  name: "timeline.read",
  needs: "leads:read",
  input: Type.Object(
    {
      id: LeadId,
      limit: Limit,
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      ...TimelineQuery,
    },
    { additionalProperties: false },
  ),
  async run({ db, caller }, { id, limit = 50, offset = 0, ...selection }): Promise<OffsetPage> {
    if (!isId("lead", id)) return await refuse(db, notFound("lead"));
    const scope = new StatementScope(caller.projectId, undefined, { ...NO_ESTIMATES, wanted: 0 });
    const text = await checked({ db }, () => pageSql(id, selection, scope, limit, offset));
    const [page] = await db.query<OffsetRow>(text, scope.parameters.values, { prepare: true });
    if (page === undefined) throw await missingLead(db, caller.projectId, id);
    return offsetPage(page, { limit, offset, total: "bounded" });
  },
});

/** Returns no row if there is no such lead. The total is counted only if the page does not already show it. */
function pageSql(
  id: string,
  selection: TimelineSelection,
  scope: StatementScope,
  limit: number,
  offset: number,
): string {
  const direction = directionOf(selection);
  const where = timelineSql(id, selection, scope);
  const part = `LIMIT ${scope.parameters.add(limit + 1)}::bigint OFFSET ${scope.parameters.add(offset)}::bigint`;
  const [most, skipped] = [scope.parameters.add(limit), scope.parameters.add(offset)];
  const known = `found <= ${most}::integer AND (${skipped}::bigint = 0 OR found > 0)`;
  return `SELECT json, found, CASE WHEN ${known} THEN ${skipped}::bigint + found
      ELSE (SELECT count(*) FROM (SELECT FROM event e WHERE ${where} LIMIT ${BOUND + 1}) AS matches) END AS total
    FROM (
      SELECT ${TOGETHER} AS json, count(*)::integer AS found
      FROM (SELECT row_to_json(shown)::text AS lead FROM (
        SELECT ${TIMELINE_COLUMNS} FROM event e WHERE ${where}
        ORDER BY e.occurred_at ${direction}, e.id ${direction} ${part}) AS shown) AS lines
    ) AS page
    WHERE EXISTS (SELECT FROM lead WHERE project_id = ${scope.project} AND id = ${scope.parameters.text(id)}
      AND deleted_at IS NULL AND merged_into_id IS NULL)`;
}
