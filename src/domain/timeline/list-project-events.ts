import { type Static, Type } from "typebox";
import { NO_ESTIMATES } from "../fields/project-schema.ts";
import { readTypes } from "../filter/read/read-event.ts";
import { readMomentRange } from "../filter/read/read-moment.ts";
import { typeSql } from "../filter/sql/event-sql.ts";
import { momentSql } from "../filter/sql/range-sql.ts";
import { StatementScope } from "../filter/sql/statement-scope.ts";
import { leadNameSql } from "../leads/read/lead-name.ts";
import { Cursor, type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { BOUND } from "../operation/page.ts";
import { EVENT_COLUMNS } from "./shown-event.ts";

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

/** The last event of a page. */
type Mark = readonly [at: string, id: string];

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
    const [page] = await db.query<{ json: string | null; found: number; total: number; last: Mark | null }>(
      text,
      scope.parameters.values,
    );
    const { json = null, found = 0, total = 0, last = null } = page ?? {};
    return {
      json: `[${json ?? ""}]`,
      total,
      nextCursor: found > limit && last !== null ? writeCursor(service, binding, last) : null,
    };
  },
});

function pageSql(
  { types, from, to, actor }: ProjectEvents,
  scope: StatementScope,
  limit: number,
  after: Mark | undefined,
): string {
  const { parameters } = scope;
  const conditions = [`e.project_id = ${scope.project}`, ...typeSql(readTypes(types, "$.types"), scope)];
  const begin = readMomentRange("on_or_after", from, "$.from").from?.at;
  const end = to === undefined ? undefined : readMomentRange("before", to, "$.to").until?.at;
  if (begin !== undefined) conditions.push(`e.occurred_at >= ${momentSql(begin, scope)}`);
  if (end !== undefined) conditions.push(`e.occurred_at < ${momentSql(end, scope)}`);
  if (actor !== undefined) conditions.push(actorSql(parameters.text(actor), scope.project));
  const lead = `EXISTS (SELECT FROM lead l WHERE l.project_id = ${scope.project} AND l.id = e.lead_id
    AND l.merged_into_id IS NULL AND (l.deleted_at IS NULL OR e.type = 'lead.deleted'))`;
  const where = [...conditions, lead].join(" AND ");
  const behind =
    after === undefined
      ? ""
      : ` AND (e.occurred_at, e.id) < (${parameters.text(after[0])}::timestamptz, ${parameters.text(after[1])})`;
  const most = parameters.add(limit);
  return `SELECT array_to_string((array_agg(line))[1:${most}::integer], ',') AS json, count(*)::integer AS found,
      (array_agg(mark))[${most}::integer] AS last,
      (SELECT count(*) FROM (SELECT FROM event e WHERE ${where} LIMIT ${BOUND}) AS matches)::integer AS total
    FROM (SELECT row_to_json(shown)::text AS line, jsonb_build_array(occurred_at::text, id) AS mark FROM (
      SELECT ${EVENT_COLUMNS}, (SELECT ${leadNameSql("l")} FROM lead l
        WHERE l.project_id = ${scope.project} AND l.id = e.lead_id) AS lead_name
      FROM event e WHERE ${where}${behind}
      ORDER BY e.occurred_at DESC, e.id DESC LIMIT ${most}::bigint + 1) AS shown) AS lines`;
}

/** A person's events are also those of the applications that act for them. */
const actorSql = (actor: string, project: string): string =>
  `(e.actor ->> 'id' = ${actor} OR e.actor ->> 'id' IN (
    SELECT id FROM "authorization" WHERE project_id = ${project} AND person_id = ${actor}))`;
