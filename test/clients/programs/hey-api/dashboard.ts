// dashboard of docs/leads-api.md with the client of @hey-api/openapi-ts.
import { client } from "./generated/client.gen.js";
import { leadsAggregate, leadsCount } from "./generated/index.js";

client.setConfig({ baseUrl: process.env.BASE_URL ?? "", auth: process.env.LEADGATE_KEY ?? "" });
const timezone = "America/Sao_Paulo";

const [statuses, months, fresh] = await Promise.all([
  leadsAggregate({
    body: {
      timezone,
      group_by: [{ field: "status" }],
      metrics: [{ op: "count" }, { op: "sum", field: "value" }],
    },
    throwOnError: true,
  }),
  leadsAggregate({
    body: { timezone, group_by: [{ field: "created_at", interval: "month" }] },
    throwOnError: true,
  }),
  leadsCount({
    body: { timezone, filter: { field: "created_at", op: "in_last", value: { n: 7, unit: "day" } } },
    throwOnError: true,
  }),
]);
for (const { key, metrics } of statuses.data.groups)
  console.log(key.status, metrics.count, metrics.sum_value);
for (const { key, metrics } of months.data.groups) console.log(key.created_at, metrics.count);
const { relation, count } = fresh.data;
console.log("last 7 days:", relation === "gte" ? `at least ${count}` : count);
