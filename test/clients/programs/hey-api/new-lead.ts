// new-lead of docs/leads-api.md with the client of @hey-api/openapi-ts.
import { client } from "./generated/client.gen.js";
import { leadsCreate, leadsEventsAdd, leadsGet, leadsSearch, leadsUpdate } from "./generated/index.js";

const form = process.argv[2] ?? "form-2";
client.setConfig({ baseUrl: process.env.BASE_URL ?? "", auth: process.env.LEADGATE_KEY ?? "" });

/** The lead of this form, if it exists: queried before every attempt, even the first. */
async function known(): Promise<string | undefined> {
  const { data } = await leadsSearch({
    body: { filter: { field: "external_id", op: "eq", value: form }, limit: 1 },
    throwOnError: true,
  });
  return data.leads[0]?.id;
}

async function made(): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const id = await known();
    if (id !== undefined) return id;
    const fresh = { external_id: form, name: "Dora Nunes", email: "dora@example.org", source: "website" };
    const { data, error, response } = await leadsCreate({ body: fresh });
    if (data !== undefined) return data.id;
    // Without a response the lead may exist. Client errors are final.
    if ((response !== undefined && response.status < 500) || tries === 5) throw error;
  }
}

const path = { id: await made() };
await leadsEventsAdd({
  path,
  body: { type: "form.sent", source: "website", external_id: form },
  throwOnError: true,
});
for (;;) {
  const { data: lead, response } = await leadsGet({ path, throwOnError: true });
  if (lead.status !== "new") break;
  const headers = { "If-Match": response.headers.get("etag") ?? "" };
  const changed = await leadsUpdate({ path, headers, body: { status: "contacted" } });
  if (changed.error !== undefined && changed.response?.status !== 412) throw changed.error;
}
const { data: lead } = await leadsGet({ path, throwOnError: true });
console.log(lead.id, lead.status);
