// new-lead of docs/leads-api.md with openapi-typescript and openapi-fetch.
import createClient from "openapi-fetch";
import type { paths } from "./generated/schema.js";

const form = process.argv[2] ?? "form-2";
const api = createClient<paths>({
  baseUrl: process.env.BASE_URL ?? "",
  headers: { Authorization: `Bearer ${process.env.LEADGATE_KEY}` },
});

/** The lead of this form, if it exists: queried before every attempt, even the first. */
async function known(): Promise<string | undefined> {
  const { data, error } = await api.POST("/api/v1/leads/search", {
    body: { filter: { field: "external_id", op: "eq", value: form }, limit: 1 },
  });
  if (data === undefined) throw new Error(error.error.message);
  return data.leads[0]?.id;
}

async function made(): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const id = await known();
    if (id !== undefined) return id;
    const fresh = { external_id: form, name: "Dora Nunes", email: "dora@example.org", source: "website" };
    const sent = api.POST("/api/v1/leads", { body: fresh });
    const { data, error, response } = await sent.catch((cause: Error) => ({
      data: undefined,
      error: { error: { message: cause.message } },
      response: undefined,
    }));
    if (data !== undefined) return data.id;
    // Without a response the lead may exist. Client errors are final.
    if ((response !== undefined && response.status < 500) || tries === 5)
      throw new Error(error.error.message);
  }
}

const params = { path: { id: await made() } };
await api.POST("/api/v1/leads/{id}/events", {
  params,
  body: { type: "form.sent", source: "website", external_id: form },
});
for (;;) {
  const { data: lead, response } = await api.GET("/api/v1/leads/{id}", { params });
  if (lead?.status !== "new") break;
  const changed = await api.PATCH("/api/v1/leads/{id}", {
    params: { ...params, header: { "If-Match": response.headers.get("etag") ?? "" } },
    body: { status: "contacted" },
  });
  if (changed.error !== undefined && changed.response.status !== 412)
    throw new Error(changed.error.error.message);
}
const { data: lead } = await api.GET("/api/v1/leads/{id}", { params });
console.log(lead?.id, lead?.status);
