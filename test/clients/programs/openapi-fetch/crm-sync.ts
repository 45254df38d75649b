// crm-sync of docs/leads-api.md with openapi-typescript and openapi-fetch.
import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./generated/schema.js";

type LeadInput = components["schemas"]["LeadInput"];

const PLACE = "crm-sync.cursor";
const contacts: LeadInput[] = [
  { external_id: "crm-17", name: "Ana Souza", email: "ana@example.org" },
  { external_id: "crm-18", name: "Bo Lindqvist", email: "bo@example.org", company: "Lindqvist AB" },
];

const patience: Middleware = {
  async onResponse({ request, response }) {
    if (response.status !== 429 && response.status !== 503) return;
    await sleep(1_000 * Number(response.headers.get("retry-after") ?? 1));
    return await fetch(request.clone());
  },
};

const api = createClient<paths>({
  baseUrl: process.env.BASE_URL ?? "",
  headers: { Authorization: `Bearer ${process.env.LEADGATE_KEY}` },
});
api.use(patience);

for (const lead of contacts) {
  const { data, error, response } = await api.PUT("/api/v1/leads/upsert", {
    body: { match_on: ["external_id"], lead },
  });
  if (data === undefined) throw new Error(error.error.message);
  console.log(
    response.headers.get("x-leadgate-outcome"),
    "name" in data && data.external_id,
    "id" in data && data.id,
  );
}

let cursor = await readFile(PLACE, "utf8").catch(() => "");
for (let more = true; more; ) {
  const { data: page, error } = await api.GET("/api/v1/events", {
    params: { query: { limit: 500, ...(cursor && { cursor }) } },
  });
  if (page === undefined) throw new Error(error.error.code);
  for (const { lead_id, type, data, occurred_at } of page.events)
    console.log(new Date(occurred_at).toISOString(), type, lead_id, JSON.stringify(data));
  cursor = page.next_cursor;
  await writeFile(`${PLACE}.new`, cursor);
  await rename(`${PLACE}.new`, PLACE);
  more = page.has_more;
}
