import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { BenchDatabase } from "../support/database.ts";

const HEADER =
  "email,first_name,last_name,company,phone,city,country,status,source,campaign,score,value,tags,plan,seats,signed_up,note";
const STATUSES = ["new", "contacted", "qualified", "won", "lost"];
const SOURCES = ["website", "referral", "event", "ads", "partner"];

/** The mapping of the file's columns: upsert by e-mail, with the sign-up as an event of each lead. */
export const BENCH_MAPPING = {
  columns: {
    ...Object.fromEntries(
      HEADER.split(",")
        .slice(0, 13)
        .map((name) => [name, name]),
    ),
    plan: "custom.plan",
    seats: "custom.seats",
    signed_up: "created_at",
  },
  fields: { plan: { label: "Plan", type: "text" }, seats: { label: "Seats", type: "number" } },
  events: [
    {
      type: "signup.done",
      title: "Signed up",
      key: "signup {email}",
      last: "created_at",
      data: { plan: "{plan}" },
    },
  ],
};

/** Writes a file of this many people, 150 bytes each; returns its size. */
export async function importFile(path: string, rows: number): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const file = createWriteStream(path);
  let lines = `${HEADER}\n`;
  for (let n = 1; n <= rows; n += 1) {
    const h = Math.imul(n, 2_654_435_761) >>> 0;
    const day = new Date(Date.UTC(2025, 0, 1) + n * 30_000).toISOString().replace(".000Z", "+00:00");
    const at = (list: readonly string[], shift: number) => list[(h >>> shift) % list.length] ?? "";
    lines += `person${n}@example.com,First${h % 997},Last${h % 7_919},"Company ${h % 5_003}, Inc.",+4930${String(n).padStart(8, "0")},City ${h % 200},DE,${at(STATUSES, 3)},${at(SOURCES, 5)},campaign ${h % 40},${h % 101},${(h % 100_000) / 10},tag${h % 30},${at(["free", "pro", "team"], 7)},${h % 200},${day},row ${n}\n`;
    if (lines.length < 1_048_576) continue;
    if (!file.write(lines)) await once(file, "drain");
    lines = "";
  }
  file.end(lines);
  await once(file, "close");
  return (await stat(path)).size;
}

/** Seeds a project with every tenth person by e-mail, with another company. */
export async function seedKnown({ sql }: BenchDatabase, projectId: string, rows: number): Promise<void> {
  await sql("INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Import', 'import')", [
    projectId,
  ]);
  await sql(
    `INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'plan', 'Plan', 'text'), ($1, 'seats', 'Seats', 'number')`,
    [projectId],
  );
  await sql(
    `INSERT INTO store.lead (project_id, id, email, company) SELECT $1, 'lead_' || lpad(n::text, 26, '0'), 'person' || n || '@example.com', 'Old'
     FROM generate_series(10, $2::int, 10) AS n`,
    [projectId, rows],
  );
  await sql("ANALYZE store.lead");
}

/**
 * What psql does with the same file: COPY, then leads and events set by set, on the same tables and indexes.
 */
export const psqlScript = (projectId: string, path: string): string => `
SET enable_seqscan = on;
BEGIN;
CREATE TEMP TABLE staged (email text, first_name text, last_name text, company text, phone text, city text, country text, status text,
  source text, campaign text, score float8, value float8, tags text, plan text, seats numeric, signed_up timestamptz, note text);
\\copy staged FROM '${resolve(path)}' CSV HEADER
CREATE TEMP TABLE found AS SELECT s.*, l.id AS known, coalesce(l.id, 'lead_' || substr(md5(s.email), 1, 26)) AS id
  FROM staged s LEFT JOIN store.lead l ON l.project_id = '${projectId}' AND lower(l.email) = lower(s.email) AND l.deleted_at IS NULL;
INSERT INTO store.lead (project_id, id, email, first_name, last_name, company, phone, phone_e164, city, country, status, source, campaign,
    score, value, tags, custom, created_at)
  SELECT '${projectId}', id, email, first_name, last_name, company, phone, phone, city, country, status, source, campaign,
    score, value, ARRAY[tags], jsonb_build_object('plan', plan, 'seats', seats), signed_up FROM found WHERE known IS NULL;
INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, source, title, data)
  SELECT '${projectId}', 'evt_' || substr(md5(n || known), 1, 26), known, 'lead.updated', moment(), 'import', field || ' changed',
    jsonb_build_object('field', field, 'from', "from", 'to', "to")
  FROM found f JOIN store.lead l ON l.project_id = '${projectId}' AND l.id = f.known,
  LATERAL (VALUES (1, 'first_name', l.first_name, f.first_name), (2, 'last_name', l.last_name, f.last_name), (3, 'company', l.company, f.company),
    (4, 'phone', l.phone, f.phone), (5, 'city', l.city, f.city), (6, 'country', l.country, f.country), (7, 'status', l.status, f.status),
    (8, 'source', l.source, f.source), (9, 'campaign', l.campaign, f.campaign), (10, 'score', l.score::text, f.score::text),
    (11, 'value', l.value::text, f.value::text), (12, 'tags', l.tags::text, ARRAY[f.tags]::text), (13, 'custom.plan', l.custom ->> 'plan', f.plan),
    (14, 'custom.seats', l.custom ->> 'seats', f.seats::text)) AS change (n, field, "from", "to") WHERE "from" IS DISTINCT FROM "to";
UPDATE store.lead l SET first_name = f.first_name, last_name = f.last_name, company = f.company, phone = f.phone, phone_e164 = f.phone,
    city = f.city, country = f.country, status = f.status, source = f.source, campaign = f.campaign, score = f.score, value = f.value,
    tags = ARRAY[f.tags], custom = l.custom || jsonb_build_object('plan', f.plan, 'seats', f.seats), version = version + 1, updated_at = moment()
  FROM found f WHERE f.known IS NOT NULL AND l.project_id = '${projectId}' AND l.id = f.known;
INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, source, title, data)
  SELECT '${projectId}', 'evt_' || substr(md5('made ' || id), 1, 26), id, 'lead.created', moment(), 'import', 'Lead created', '{"row": 1}' FROM found WHERE known IS NULL;
INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, source, title, data, external_id)
  SELECT '${projectId}', 'evt_' || substr(md5('signup ' || id), 1, 26), id, 'signup.done', signed_up, 'import', 'Signed up', jsonb_build_object('plan', plan), 'signup ' || email FROM found;
COMMIT;
`;
