// dashboard of docs/leads-api.md with openapi-typescript and openapi-fetch.
import createClient from "openapi-fetch";
import type { paths } from "./generated/schema.js";

const api = createClient<paths>({
  baseUrl: process.env.BASE_URL ?? "",
  headers: { Authorization: `Bearer ${process.env.LEADGATE_KEY}` },
});
const timezone = "America/Sao_Paulo";

/** Returns the data of an answer, or throws what the service reported. */
function answered<T>({ data, error }: { data?: T; error?: { error: { message: string } } }): T {
  if (data === undefined) throw new Error(error?.error.message);
  return data;
}

const [statuses, months, fresh] = await Promise.all([
  api.POST("/api/v1/leads/aggregate", {
    body: {
      timezone,
      group_by: [{ field: "status" }],
      metrics: [{ op: "count" }, { op: "sum", field: "value" }],
    },
  }),
  api.POST("/api/v1/leads/aggregate", {
    body: { timezone, group_by: [{ field: "created_at", interval: "month" }] },
  }),
  api.POST("/api/v1/leads/count", {
    body: { timezone, filter: { field: "created_at", op: "in_last", value: { n: 7, unit: "day" } } },
  }),
]);
for (const { key, metrics } of answered(statuses).groups)
  console.log(key.status, metrics.count, metrics.sum_value);
for (const { key, metrics } of answered(months).groups) console.log(key.created_at, metrics.count);
const { relation, count } = answered(fresh);
console.log("last 7 days:", relation === "gte" ? `at least ${count}` : count);
