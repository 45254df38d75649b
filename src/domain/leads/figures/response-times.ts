import { ResponseTimesQuery } from "../../../contract/leads/aggregation.ts";
import { OUTGOING_EVENTS } from "../../../core/outgoing.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { readTypes } from "../../filter/read/read-event.ts";
import { typeSql } from "../../filter/sql/event-sql.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import { unseenTypes } from "../../filter/unseen-types.ts";
import { customOf, withSchema } from "../../filter/with-schema.ts";
import { memberOperation } from "../../operation/operation.ts";
import { warn } from "../../operation/service/warn.ts";
import { bad } from "../../values/bad-input.ts";
import { zoneUnknown } from "../../values/timezone.ts";
import { keyPart } from "./aggregate-sql.ts";

/** Groups with their response times; `json` is the text of the array, made by PostgreSQL. */
interface Responses {
  json: string;
  /** The number of groups, including those not shown. */
  totalGroups: number;
}

/**
 * Computes how long leads waited for their first response: from creation to the first event of the types at or
 * after it.
 */
export const responseTimes = memberOperation({
  name: "leads.response_times",
  needs: "leads:read",
  input: ResponseTimesQuery,
  async run(context, input): Promise<Responses> {
    const { db, caller } = context;
    const named = (input.group_by ?? []).map(({ field }) => field);
    const plan = await withSchema(
      context,
      input,
      (schema) => planned(caller.projectId, input, schema),
      customOf(named),
    );
    if (input.types !== undefined) {
      const asked = [{ path: "$.types", types: readTypes(input.types, "$.types") }];
      warn(context.service, await unseenTypes(db, caller.projectId, asked));
    }
    const [row] = await db
      .query<{ json: string; total: number }>(plan.text, plan.values, { parallel: true })
      .catch(zoneUnknown);
    return { json: row?.json ?? "[]", totalGroups: row?.total ?? 0 };
  },
});

function planned(
  projectId: string,
  input: ResponseTimesQuery,
  schema: ProjectSchema,
): { text: string; values: readonly unknown[] } {
  const { scope, where } = leadConditions(projectId, input, schema);
  const { parameters } = scope;
  const types = readTypes(input.types ?? OUTGOING_EVENTS, "$.types");
  const keys = (input.group_by ?? []).map((group, i) => keyPart(group, i, input.interval, schema, scope));
  const names = keys.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) bad("$.group_by", "asked_twice", `must not ask for "${twice}" twice`);
  const within = (input.within ?? []).map((seconds) => parameters.add(seconds));
  const columns = [
    ...keys.map(({ sql }, i) => `${sql} AS k${i}`),
    "count(*) AS leads",
    "count(waited) AS answered",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY waited) AS median",
    "percentile_cont(0.9) WITHIN GROUP (ORDER BY waited) AS ninth",
    ...within.map((seconds, i) => `count(*) FILTER (WHERE waited <= ${seconds}::bigint) AS w${i}`),
  ];
  const key = keys.map(({ name }, i) => `${parameters.text(name)}, k${i}`).join(", ");
  const counts = within.map(
    (seconds, i) => `json_build_object('seconds', ${seconds}::bigint, 'leads', w${i})`,
  );
  const grouped = keys.length === 0 ? "" : `GROUP BY ${keys.map(({ by }, i) => by ?? i + 1).join(", ")}`;
  const order = [
    ...(keys.some(({ isBucket }) => isBucket) ? [] : ["leads DESC"]),
    ...keys.map((_, i) => `k${i} NULLS LAST`),
  ];
  // Joins only leads and responses first, so that the planner can choose a hash join or index lookups, and
  // run them in parallel.
  const waits = `SELECT asked_id, extract(epoch FROM min(e.occurred_at) - asked_at)::float8 AS waited
    FROM (SELECT id AS asked_id, created_at AS asked_at FROM lead WHERE ${where}) AS asked
    LEFT JOIN event e ON e.lead_id = asked_id AND e.project_id = ${scope.project} AND e.occurred_at >= asked_at
      AND ${typeSql(types, scope).join(" AND ")}
    GROUP BY asked_id, asked_at`;
  const joins = keys.map(({ join }) => join).join(" ");
  const lead =
    keys.length === 0 ? "" : `JOIN lead ON id = asked_id AND project_id = ${scope.project} ${joins}`;
  const text = `SELECT coalesce(json_agg(json_build_object('key', json_build_object(${key}), 'leads', leads, 'answered', answered,
        'median_seconds', median, 'p90_seconds', ninth, 'within', json_build_array(${counts.join(", ")}))), '[]')::text AS json,
      coalesce(max(total), 0)::integer AS total
    FROM (SELECT *, count(*) OVER () AS total FROM (
      SELECT ${columns.join(", ")} FROM (${waits}) AS waits ${lead} ${grouped}
    ) AS grouped ORDER BY ${order.length === 0 ? "1" : order.join(", ")} LIMIT ${input.limit ?? 100}) AS groups`;
  return { text, values: parameters.values };
}
