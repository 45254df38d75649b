import { Type } from "typebox";
import { CHANGE_KINDS } from "../../../contract/lists/changes.ts";
import { idsFrom } from "../../../core/id.ts";
import { NO_ESTIMATES } from "../../fields/project-schema.ts";
import { readMomentRange } from "../../filter/read/read-moment.ts";
import { momentSql } from "../../filter/sql/range-sql.ts";
import { StatementScope } from "../../filter/sql/statement-scope.ts";
import type { Point } from "../../filter/tree/filter.ts";
import { Cursor, type CursorBinding, readCursor, writeCursor } from "../../operation/cursor.ts";
import { checked, memberOperation } from "../../operation/operation.ts";
import type { Parameters } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { IRREVERSIBLE_SQL } from "../../undo/undoable.ts";
import { changeJson } from "./change-record.ts";

const Moment = Type.String({ maxLength: 40 });

const ChangeList = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
    cursor: Cursor,
    kind: Type.Optional(Type.Array(Type.Enum([...CHANGE_KINDS]), { minItems: 1, maxItems: 50 })),
    actor: Type.Optional(
      Type.String({ maxLength: 100, description: "An id, or `me` for the caller's own." }),
    ),
    lead: Type.Optional(Type.String({ maxLength: 100 })),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
    reversible: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** How far a change's id may be from its time: days begin in the project's time zone, and a change in a queue waits. */
const LOOSE_MS = 48 * 3_600_000;

/** With filters, a page looks at no more changes than this, and may have none. */
const LOOKED_AT = 20_000;

interface PageRow {
  json: string | null;
  last: string | null;
  more: boolean;
}

/** A page of the project's changes, newest first. */
export const listChanges = memberOperation({
  name: "changes.list",
  needs: "leads:read",
  input: ChangeList,
  async run(
    context,
    { limit = 50, cursor, ...chosen },
  ): Promise<{ json: string; nextCursor: string | null }> {
    const { service, db, caller } = context;
    const { kind = null, actor = null, lead = null, from, to, reversible = null } = chosen;
    const binding: CursorBinding = [
      ...([caller.projectId, "changes.list"] as const),
      ...[kind, actor, lead, from ?? null, to ?? null, reversible],
    ];
    const scope = new StatementScope(caller.projectId, undefined, { ...NO_ESTIMATES, wanted: 0 });
    const { parameters, project } = scope;
    const text = await checked(context, () => {
      const older = cursor === undefined ? undefined : readCursor<string>(service, binding, cursor);
      const walk = [`c.project_id = ${project}`];
      if (older !== undefined) walk.push(`c.id < ${parameters.text(older)}`);
      const wanted: string[] = [];
      if (kind !== null) wanted.push(`c.kind = ANY (${parameters.texts(kind)})`);
      if (actor !== null) wanted.push(actorIs(actor, caller, parameters));
      if (reversible !== null) wanted.push(`((${IRREVERSIBLE_SQL}) IS NULL) = ${reversible}`);
      const times = madeBetween(scope, from, to);
      wanted.push(...times.wanted);
      walk.push(...times.walk);
      const rows =
        lead === null
          ? "change c"
          : `(${changesOfLead(project, parameters.text(lead))}) AS of_lead JOIN change c ON c.id = of_lead.id`;
      return pageSql(rows, walk, wanted, limit, changeJson(caller, parameters));
    });
    const [page] = await db.query<PageRow>(text, parameters.values);
    if (page === undefined) throw new Error("the database answered no page");
    return {
      json: `[${page.json ?? ""}]`,
      nextCursor: page.more && page.last !== null ? writeCursor(service, binding, page.last) : null,
    };
  },
});

/** SQL for whether change `c` was made between two times: what is `wanted`, and a condition on ids for the `walk`. */
export function madeBetween(
  scope: StatementScope,
  from: string | undefined,
  to: string | undefined,
): { wanted: string[]; walk: string[] } {
  const since = from === undefined ? undefined : readMomentRange("on_or_after", from, "$.from").from?.at;
  const until = to === undefined ? undefined : readMomentRange("before", to, "$.to").until?.at;
  const bounds = (
    [
      [">=", since, -LOOSE_MS],
      ["<", until, LOOSE_MS],
    ] as const
  ).flatMap(([op, at, loose]) =>
    at === undefined ? [] : [{ op, at, id: idsFrom("chg", msOf(at) + loose) }],
  );
  return {
    wanted: bounds.map(({ op, at }) => `c.created_at ${op} ${momentSql(at, scope)}`),
    walk: bounds.map(({ op, id }) => `c.id ${op} ${scope.parameters.text(id)}`),
  };
}

/** A point in time in milliseconds; a day as one in UTC. */
const msOf = (at: Point): number =>
  at.kind === "instant"
    ? Date.parse(at.iso)
    : at.kind === "day"
      ? Date.parse(at.day) + at.plus * 86_400_000
      : Date.now();

/** `looked` are the changes before the cursor, `told` the wanted ones among them. */
function pageSql(
  rows: string,
  walk: readonly string[],
  wanted: readonly string[],
  limit: number,
  json: string,
): string {
  const most = wanted.length === 0 ? limit + 1 : LOOKED_AT;
  return `WITH looked AS MATERIALIZED (
      SELECT c.* FROM ${rows} WHERE ${walk.join(" AND ")} ORDER BY c.id DESC LIMIT ${most}
    ), found AS MATERIALIZED (
      SELECT * FROM looked c WHERE ${wanted.length === 0 ? "true" : wanted.join(" AND ")} ORDER BY c.id DESC LIMIT ${limit + 1}
    ), told AS MATERIALIZED (SELECT * FROM found c ORDER BY c.id DESC LIMIT ${limit}
    ), page AS (
      SELECT (SELECT count(*) FROM found) > ${limit} AS cut, (SELECT count(*) FROM looked) = ${most} AS looked_full
    )
    SELECT (SELECT string_agg(${json}, ',' ORDER BY c.id DESC) FROM told c) AS json,
      CASE WHEN cut THEN (SELECT min(id) FROM told) ELSE (SELECT min(id) FROM looked) END AS last,
      cut OR looked_full AS more FROM page`;
}

/** SQL for the ids of changes that did something to a lead. */
const changesOfLead = (project: string, lead: string): string => `
  SELECT e.change_id AS id FROM event e WHERE e.project_id = ${project} AND e.lead_id = ${lead} AND e.change_id IS NOT NULL
  UNION SELECT i.change_id FROM change_item i WHERE i.project_id = ${project} AND i.record_id = ${lead}
  UNION SELECT t.change_id FROM tombstone t WHERE t.project_id = ${project} AND t.lead_id = ${lead} AND t.change_id IS NOT NULL`;

/** SQL for whether a key, a person or an authorization, or the caller (`me`), made change `c`. */
export function actorIs(actor: string, caller: Credential, parameters: Parameters): string {
  if (actor !== "me")
    return `(c.actor ->> 'id' = ${parameters.text(actor)} OR c.person_id = ${parameters.text(actor)})`;
  switch (caller.kind) {
    case "key":
      return `c.actor ->> 'id' = ${parameters.text(caller.id)}`;
    case "person":
      return `c.person_id = ${parameters.text(caller.personId)}`;
    case "token":
      return `c.actor ->> 'id' = (SELECT authorization_id FROM access_token
        WHERE project_id = ${parameters.text(caller.projectId)} AND hash = ${parameters.add(caller.hash)}::bytea)`;
  }
}
