// crm-sync of docs/leads-api.md with the client of @hey-api/openapi-ts.
import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { client } from "./generated/client.gen.js";
import { eventsFeed, type LeadInput, leadsUpsert } from "./generated/index.js";

const PLACE = "crm-sync.cursor";
const contacts: LeadInput[] = [
  { external_id: "crm-17", name: "Ana Souza", email: "ana@example.org" },
  { external_id: "crm-18", name: "Bo Lindqvist", email: "bo@example.org", company: "Lindqvist AB" },
];

client.setConfig({ baseUrl: process.env.BASE_URL ?? "", auth: process.env.LEADGATE_KEY ?? "" });
client.interceptors.response.use(async (response, request) => {
  if (response.status !== 429 && response.status !== 503) return response;
  await sleep(1_000 * Number(response.headers.get("retry-after") ?? 1));
  return await fetch(request.clone());
});

for (const lead of contacts) {
  const { data, response } = await leadsUpsert({
    body: { match_on: ["external_id"], lead },
    throwOnError: true,
  });
  console.log(
    response.headers.get("x-leadgate-outcome"),
    "name" in data && data.external_id,
    "id" in data && data.id,
  );
}

let cursor = await readFile(PLACE, "utf8").catch(() => "");
for (let more = true; more; ) {
  const { data: page } = await eventsFeed({
    query: { limit: 500, ...(cursor && { cursor }) },
    throwOnError: true,
  });
  for (const { lead_id, type, data, occurred_at } of page.events)
    console.log(new Date(occurred_at).toISOString(), type, lead_id, JSON.stringify(data));
  cursor = page.next_cursor;
  await writeFile(`${PLACE}.new`, cursor);
  await rename(`${PLACE}.new`, PLACE);
  more = page.has_more;
}
