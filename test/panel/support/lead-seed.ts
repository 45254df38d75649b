import assert from "node:assert/strict";
import type { KeyActor } from "../../world.ts";
import type { PanelWorld } from "./panel.ts";

/** Creates a lead through the API; returns its id. */
export async function makeLead(key: KeyActor, lead: object): Promise<string> {
  const answer = await key.send("POST", "/api/v1/leads", lead);
  assert.equal(answer.status, 201, await answer.clone().text());
  return ((await answer.json()) as { id: string }).id;
}

/** Records an event of a lead. */
export async function tell(key: KeyActor, id: string, event: object): Promise<void> {
  const answer = await key.send("POST", `/api/v1/leads/${id}/events`, event);
  assert.equal(answer.status, 201, await answer.clone().text());
}

const ago = (days: number, minutes = 0): string =>
  new Date(Date.now() - days * 86_400_000 - minutes * 60_000).toISOString();

/** Creates a lead with a history: fields of every kind, events, a dataset row, a likely duplicate. */
export async function livedLead(the: PanelWorld): Promise<{ key: KeyActor; id: string; twin: string }> {
  const key = await the.key(["leads:read", "leads:write", "schema:write", "datasets:read", "datasets:write"]);
  await key.send("POST", "/api/v1/fields", {
    key: "plan",
    label: "Plan",
    type: "enum",
    options: ["Basic", "Pro"],
  });
  await key.send("POST", "/api/v1/fields", { key: "renewal", label: "Renewal", type: "date" });
  const id = await makeLead(key, {
    name: "Marina Duarte",
    email: "marina.duarte@aurora.example",
    phone: "+55 11 98765-4321",
    company: "Aurora Logística",
    job_title: "Head of Operations",
    website: "https://aurora.example",
    city: "São Paulo",
    country: "BR",
    source: "webinar",
    utm_source: "newsletter",
    utm_campaign: "spring",
    value: 48_500,
    currency: "BRL",
    tags: ["enterprise", "referral"],
    consent_status: "granted",
    consent_basis: "form",
    consent_at: ago(20),
    custom: { plan: "Pro", renewal: "2027-03-31" },
  });
  const twin = await makeLead(key, {
    name: "Marina D.",
    email: "MARINA.duarte@aurora.example",
    company: "Aurora",
    city: "Santos",
    tags: ["event"],
    score: 40,
  });
  await key.send("PATCH", `/api/v1/leads/${id}`, { score: 72, city: "Campinas", state: "SP" });
  await tell(key, id, {
    type: "email.opened",
    occurred_at: ago(1),
    data: { subject: "Our offer" },
    source: "mailer",
  });
  for (const minutes of [1, 3, 5, 8])
    await tell(key, id, {
      type: "page.viewed",
      occurred_at: ago(2, minutes),
      data: { url: `/pricing/${minutes}` },
      source: "website",
    });
  await tell(key, id, {
    type: "call.made",
    occurred_at: ago(3),
    data: { outcome: "interested", seconds: 340 },
    source: "dialer",
  });
  await tell(key, id, {
    type: "note.added",
    occurred_at: ago(4),
    data: { text: "Wants a quote for 40 seats.\nCall back on Monday." },
  });
  await tell(key, id, {
    type: "task.created",
    data: { subject: "Send the quote", due: ago(2).slice(0, 10) },
  });
  const dataset = await key.send("POST", "/api/v1/datasets", {
    key: "companies",
    name: "Companies",
    columns: [
      { key: "email", label: "E-mail", type: "email", required: true, unique: true },
      { key: "employees", label: "Employees", type: "integer" },
      { key: "sector", label: "Sector", type: "text" },
    ],
    key_column: "email",
    lead_link: { column: "email", match: "email" },
  });
  assert.equal(dataset.status, 201, await dataset.clone().text());
  const row = { email: "marina.duarte@aurora.example", employees: 230, sector: "Logistics" };
  assert.equal((await key.send("POST", "/api/v1/datasets/companies/rows", row)).status, 201);
  return { key, id, twin };
}
