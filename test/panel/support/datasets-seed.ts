import assert from "node:assert/strict";
import type { KeyActor } from "../../world.ts";
import type { PanelWorld } from "./panel.ts";

/** The columns of the companies: one of each type. */
const COLUMNS = [
  { key: "name", label: "Company", type: "text", required: true },
  { key: "domain", label: "Domain", type: "text", required: true, unique: true },
  { key: "contact", label: "Contact", type: "email" },
  { key: "phone", label: "Phone", type: "phone" },
  { key: "seats", label: "Seats", type: "integer" },
  { key: "revenue", label: "Revenue", type: "number" },
  { key: "customer", label: "Customer", type: "boolean" },
  { key: "plan", label: "Plan", type: "enum", options: ["Basic", "Pro"] },
  { key: "renewal", label: "Renewal", type: "date" },
  { key: "seen_at", label: "Last seen", type: "datetime" },
  { key: "site", label: "Site", type: "url" },
  { key: "extra", label: "Extra", type: "json" },
];

const NAMES = ["Aurora Logística", "Porto Têxtil", "Oficina Norte", "Maré Alta", "Casa Verde", "Lumen"];

/** Creates a dataset of companies, linked to leads by their contact, with so many rows, newest first. */
export async function companies(the: PanelWorld, rows = 6): Promise<{ key: KeyActor; id: string }> {
  const key = await the.key(["leads:read", "leads:write", "datasets:read", "datasets:write"]);
  const made = await key.send("POST", "/api/v1/datasets", {
    key: "companies",
    name: "Companies",
    columns: COLUMNS,
    key_column: "domain",
    lead_link: { column: "contact", match: "email" },
  });
  assert.equal(made.status, 201, await made.clone().text());
  const { id } = (await made.json()) as { id: string };
  const body = Array.from({ length: rows }, (_, i) => ({
    name: NAMES[i % NAMES.length],
    domain: `company-${i}.example`,
    contact: `contact-${i}@example.org`,
    phone: "+55 11 98765-4321",
    seats: 10 + i,
    revenue: 1_250.5 * (i + 1),
    customer: i % 2 === 0,
    plan: i % 3 === 0 ? "Pro" : "Basic",
    renewal: "2027-03-31",
    seen_at: "2026-11-20T14:30:00+00:00",
    site: `https://company-${i}.example`,
    extra: { tier: i },
  }));
  if (rows > 0) {
    const written = await key.send("POST", "/api/v1/datasets/companies/rows/batch", { rows: body });
    assert.equal(written.status, 200, await written.clone().text());
  }
  return { key, id };
}
