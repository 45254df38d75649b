import { type Static, Type } from "typebox";
import { NO_ESTIMATES } from "../fields/project-schema.ts";
import { StatementScope } from "../filter/sql/statement-scope.ts";
import { leadNameSql } from "../leads/read/lead-name.ts";
import { Cursor, type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { BOUND } from "../operation/page.ts";
import { type EventsRow, eventsPageSql, type Mark } from "./events-page.ts";
import { eventConditions } from "./timeline-query.ts";

const Moment = Type.String({ maxLength: 40 });

const ProjectEvents = Type.Object(
  {
    types: Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100 }),
    from: Moment,
    to: Type.Optional(Moment),
    actor: Type.Optional(
      Type.String({ maxLength: 100, description: "The id of a key, person or authorization." }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
    cursor: Cursor,
  },
  { additionalProperties: false },
);
type ProjectEvents = Static<typeof ProjectEvents>;

/** A page of events; `json` is the text of an array, each with the name of its lead. */
interface EventsPage {
  json: string;
  /** All events that match, counted up to 10,000. */
  total: number;
  nextCursor: string | null;
}

/**
 * Returns a page of the events of these types since this time, the newest first: of all leads that are there, and the
 * deletions of the others.
 */
export const listProjectEvents = memberOperation({
  name: "timeline.project",
  needs: "leads:read",
  input: ProjectEvents,
  async run(context, query): Promise<EventsPage> {
    const { service, db, caller } = context;
    const { limit = 50, cursor, types, from, to = null, actor = null } = query;
    const binding: CursorBinding = [caller.projectId, "timeline.project", types, from, to, actor];
    const scope = new StatementScope(caller.projectId, undefined, { ...NO_ESTIMATES, wanted: 0 });
    const text = await checked(context, () => {
      const after = cursor === undefined ? undefined : readCursor<Mark>(service, binding, cursor);
      return pageSql(query, scope, limit, after);
    });
    const [page] = await db.query<EventsRow & { total: number }>(text, scope.parameters.values);
    const { json = null, found = 0, total = 0, last = null } = page ?? {};
    return {
      json: `[${json ?? ""}]`,
      total,
      nextCursor: found > limit && last !== null ? writeCursor(service, binding, last) : null,
    };
  },
});

function pageSql(
  query: ProjectEvents,
  scope: StatementScope,
  limit: number,
  after: Mark | undefined,
): string {
  const conditions = [`e.project_id = ${scope.project}`, ...eventConditions(query, scope)];
  if (query.actor !== undefined) conditions.push(actorSql(scope.parameters.text(query.actor), scope.project));
  const lead = `EXISTS (SELECT FROM lead l WHERE l.project_id = ${scope.project} AND l.id = e.lead_id
    AND l.merged_into_id IS NULL AND (l.deleted_at IS NULL OR e.type = 'lead.deleted'))`;
  const where = [...conditions, lead].join(" AND ");
  return eventsPageSql(where, scope, {
    ...{ limit, after, direction: "DESC" },
    columns: `, (SELECT ${leadNameSql("l")} FROM lead l WHERE l.project_id = ${scope.project} AND l.id = e.lead_id) AS lead_name`,
    results: `, (SELECT count(*) FROM (SELECT FROM event e WHERE ${where} LIMIT ${BOUND}) AS matches)::integer AS total`,
  });
}

/** A person's events are also those of the applications that act for them. */
const actorSql = (actor: string, project: string): string =>
  `(e.actor ->> 'id' = ${actor} OR e.actor ->> 'id' IN (
    SELECT id FROM "authorization" WHERE project_id = ${project} AND person_id = ${actor}))`;
