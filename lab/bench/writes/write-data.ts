import { newId } from "../../../src/core/id.ts";
import type { Chance } from "../../../test/chaos/random.ts";
import { prepareLeads, projectOf } from "../leads/leads-data.ts";
import type { BenchDatabase } from "../support/database.ts";

/** Who may own leads. */
const OWNERS = Array.from({ length: 10 }, (_, n) => `per_0bench${String(n).padStart(20, "0")}`);
const STATUSES = ["new", "contacted", "qualified", "won", "lost"];

/** A field that a PATCH sets: its value in JSON, and the same in SQL, both from a number `v`. */
export interface PatchedField {
  name: string;
  json(v: number): object;
  /** The column and the SQL of its new value. */
  sql: readonly [column: string, value: (v: string) => string];
}

const plain = (name: string, json: (v: number) => unknown, sql: (v: string) => string): PatchedField => ({
  name,
  json: (v) => ({ [name]: json(v) }),
  sql: [name, sql],
});

const custom = (key: string, json: (v: number) => unknown, sql: (v: string) => string): PatchedField => ({
  name: `custom.${key}`,
  json: (v) => ({ custom: { [key]: json(v) } }),
  sql: ["custom", (v) => `custom || jsonb_build_object('${key}', ${sql(v)})`],
});

const list = (items: readonly string[]) => `(ARRAY['${items.join("','")}'])`;

/** Fields with and without indexes; values that are drawn at random are rarely those that a lead has. */
export const PATCHED: readonly PatchedField[] = [
  plain(
    "status",
    (v) => STATUSES[v % 5],
    (v) => `${list(STATUSES)}[1 + ${v} % 5]`,
  ),
  plain(
    "score",
    (v) => v % 101,
    (v) => `${v} % 101`,
  ),
  plain(
    "value",
    (v) => v / 10,
    (v) => `${v} / 10.0`,
  ),
  plain(
    "owner_id",
    (v) => OWNERS[v % OWNERS.length],
    (v) => `${list(OWNERS)}[1 + ${v} % ${OWNERS.length}]`,
  ),
  plain(
    "company",
    (v) => `Company ${v % 5_000}`,
    (v) => `'Company ' || ${v} % 5000`,
  ),
  plain(
    "job_title",
    (v) => `Job ${v % 300}`,
    (v) => `'Job ' || ${v} % 300`,
  ),
  plain(
    "city",
    (v) => `City ${v % 200}`,
    (v) => `'City ' || ${v} % 200`,
  ),
  plain(
    "source",
    (v) => `source ${v % 12}`,
    (v) => `'source ' || ${v} % 12`,
  ),
  plain(
    "tags",
    (v) => [`tag${v % 60}`, `more${v % 30}`],
    (v) => `ARRAY['tag' || ${v} % 60, 'more' || ${v} % 30]`,
  ),
  custom(
    "plan",
    (v) => `plan ${v % 50}`,
    (v) => `'plan ' || ${v} % 50`,
  ),
  custom(
    "seats",
    (v) => v % 500,
    (v) => `${v} % 500`,
  ),
];

/** The largest number that values are made from. */
export const MOST = 999_999;

export interface Known {
  id: string;
  external_id: string;
  email: string;
}

export interface WriteRequest {
  method: "GET" | "POST" | "PATCH" | "PUT";
  path: string;
  body: string;
}

/** Generates a project of this many leads, each with its `lead.created`; returns its id and its leads. */
export async function prepareWrites(
  database: BenchDatabase,
  rows: number,
  say: (line: string) => void,
): Promise<{ projectId: string; known: Known[] }> {
  const { sql } = database;
  const project = projectOf(rows);
  const { id } = project;
  // What earlier runs created.
  await sql("DELETE FROM store.lead WHERE project_id = $1 AND external_id NOT LIKE 'ext-%'", [id]);
  await prepareLeads(database, say, [project]);
  await sql("DELETE FROM store.event WHERE project_id = $1 AND type <> 'lead.created'", [id]);
  await sql("DELETE FROM store.change WHERE project_id = $1", [id]);
  await sql(EVENTS, [id]);
  await sql(
    `INSERT INTO person (id, email, name, password_hash) SELECT id, id || '@bench.example', 'Owner', 'none'
     FROM unnest($1::text[]) AS id ON CONFLICT DO NOTHING`,
    [OWNERS],
  );
  await sql(
    `INSERT INTO membership (person_id, project_id, role) SELECT person_id, $2, 'editor'
     FROM unnest($1::text[]) AS person_id ON CONFLICT DO NOTHING`,
    [OWNERS, id],
  );
  await sql(
    `INSERT INTO store.custom_field (project_id, key, label, type)
     VALUES ($1, 'plan', 'Plan', 'text'), ($1, 'seats', 'Seats', 'integer') ON CONFLICT DO NOTHING`,
    [id],
  );
  say("VACUUM ANALYZE");
  for (const table of ["lead", "event", "change"]) await sql(`VACUUM ANALYZE store.${table}`);
  const known = await sql<Known>("SELECT id, external_id, email FROM store.lead WHERE project_id = $1", [id]);
  return { projectId: id, known };
}

const EVENTS = `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, recorded_at, source, title, actor)
  SELECT project_id, 'evt_' || substr(id, 6), id, 'lead.created', created_at, created_at, 'api', 'Lead created', '{"type": "key", "id": null, "label": "bench"}'
  FROM store.lead WHERE project_id = $1 ORDER BY id ON CONFLICT DO NOTHING`;

/** PATCHes of one field of one lead, both drawn at random. */
export const patches = (known: readonly Known[], chance: Chance, count: number): WriteRequest[] =>
  Array.from({ length: count }, () => ({
    method: "PATCH",
    path: `/api/v1/leads/${chance.of(known).id}`,
    body: JSON.stringify(chance.of(PATCHED).json(chance.between(0, MOST))),
  }));

/** Leads as a form or another system brings them. */
const newLead = (chance: Chance) => {
  const own = newId("lead").slice(5);
  const v = chance.between(0, MOST);
  return {
    ...{ external_id: `w-${own}`, name: `Ana ${v}`, email: `ana.${own}@bench.example` },
    ...{ phone: `+49 30 ${String(v).padStart(8, "0")}`, company: `Company ${v % 5_000}`, source: "website" },
    custom: { plan: `plan ${v % 50}`, seats: v % 500 },
  };
};

export const creations = (chance: Chance, count: number): WriteRequest[] =>
  Array.from({ length: count }, () => ({
    method: "POST",
    path: "/api/v1/leads",
    body: JSON.stringify(newLead(chance)),
  }));

/** Upserts, half of them of leads that exist, by external id or by e-mail. */
export const upserts = (known: readonly Known[], chance: Chance, count: number): WriteRequest[] =>
  Array.from({ length: count }, () => {
    const { external_id, email } = chance.of(known);
    const by = chance.isOneIn(2) ? "external_id" : "email";
    const job_title = `Job ${chance.between(0, MOST)}`;
    const lead = chance.isOneIn(2)
      ? newLead(chance)
      : { job_title, ...(by === "email" ? { email } : { external_id }) };
    return { method: "PUT", path: "/api/v1/leads/upsert", body: JSON.stringify({ match_on: by, lead }) };
  });

export const BATCH = 500;
export type By = "lead_id" | "external_id" | "email";

/** Events of as many leads, half of them with a key. */
export const batches = (known: readonly Known[], chance: Chance, by: By, count: number): WriteRequest[] =>
  Array.from({ length: count }, () => {
    const chosen = new Set<Known>();
    while (chosen.size < Math.min(BATCH, known.length)) chosen.add(chance.of(known));
    const events = [...chosen].map((lead, n) => ({
      ...(by === "lead_id" ? { lead_id: lead.id } : { lead: { [by]: lead[by] } }),
      ...{ type: "email.opened", data: { subject: "Our offer", n } },
      ...(n % 2 === 0 ? { external_id: newId("evt") } : {}),
    }));
    return { method: "POST", path: "/api/v1/events/batch", body: JSON.stringify({ events }) };
  });
