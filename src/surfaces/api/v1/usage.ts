import { Type } from "typebox";
import { PERMISSIONS, SCOPES } from "../../../core/permission.ts";
import { describeUsage } from "../../../domain/usage/describe-usage.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { dateTime, dateTimeOrNull, orNull, Relation, refusals } from "../shared/described.ts";
import { queryOf } from "../shared/input.ts";

const Count = Type.Object({
  count: Type.Integer(),
  relation: Relation,
});
const Pace = orNull(Type.Object({ turns: Type.Integer(), seconds: Type.Integer(), burst: Type.Integer() }));

const Usage = Type.Object({
  limits: Type.Object({
    api: Pace,
    mcp: Pace,
    dataset_reads: Pace,
    dataset_writes: Pace,
    dataset_imports: Pace,
  }),
  leads: Count,
  events: Count,
  datasets: orNull(Type.Integer()),
  dataset_rows: orNull(Count),
  fields: Type.Object({ count: Type.Integer(), most: Type.Integer() }),
  views: Type.Integer(),
  members: Type.Integer(),
  api_keys: orNull(
    Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        permissions: Type.Array(Type.Enum([...PERMISSIONS])),
        created_at: dateTime,
        last_used_at: dateTimeOrNull,
      }),
    ),
  ),
  applications: orNull(
    Type.Array(
      Type.Object({
        client_id: Type.String(),
        name: Type.String(),
        scopes: Type.Array(Type.Enum([...SCOPES])),
        people: Type.Integer({ description: "How many members have authorized it." }),
        last_used_at: dateTimeOrNull,
      }),
    ),
  ),
});

/** What a project stores, and its rate limits. */
export const usageRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/usage",
    describe: {
      summary: "Read limits and usage",
      description:
        "Counts stop at 1,000,000 (relation gte). A limit allows so many requests in so many seconds, with bursts, " +
        "per key, application and person; null is unlimited. api_keys and applications are returned to owners and admins in " +
        "the panel, and null to keys; datasets and their rows are null without datasets:read.",
      tags: ["usage"],
      bearer: true,
      answers: { 200: Usage, ...refusals() },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, {}),
    operation: describeUsage,
    reply: ok,
  }),
];
