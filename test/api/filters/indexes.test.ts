import assert from "node:assert/strict";
import { test } from "node:test";
import type { Filter } from "../../../src/contract/filters/filter.ts";
import type { LeadsQuery } from "../../../src/contract/leads/query.ts";
import { serviceDoor } from "../../../src/db/pool/project-door.ts";
import { projectSchema } from "../../../src/domain/fields/project-schema.ts";
import { planLeads } from "../../../src/domain/leads/read/plan-leads.ts";
import { type World, world } from "../../world.ts";

const week = (n: number) => new Date(Date.now() - n * 7 * 86_400_000).toISOString();
const both = (status: string, source: string): Filter => ({
  and: [
    { field: "status", op: "eq", value: status },
    { field: "source", op: "eq", value: source },
  ],
});

/** The usual queries. */
const USUAL: Record<string, LeadsQuery> = {
  "newest 50": {},
  "status + source": { filter: both("new", "ads") },
  "status + source, rare": { filter: both("won", "fair") },
  "OR of two groups": { filter: { or: [both("won", "ads"), both("lost", "fair")] } },
  "e-mail contains": { filter: { field: "email", op: "contains", value: "person1234" } },
  "custom value equals": { filter: { field: "custom.plan", op: "eq", value: "Ráre" } },
  "custom number range": { filter: { field: "custom.seats", op: "between", value: [5_000.5, 5_020] } },
  "any of two tags": { filter: { field: "tags", op: "has_any", value: ["t17", "t23"] } },
  "score range by score": {
    filter: { field: "score", op: "between", value: [90, 95] },
    sort: [{ field: "score", dir: "desc" }],
  },
  "a week of created_at": { filter: { field: "created_at", op: "between", value: [week(5), week(4)] } },
  "words search": { search: "name777 company77" },
  "phone search": { search: "name777 (11) 91609-7776" },
  "phone search, number alone": { search: "+55 11 91609-7776" },
  "phone search, perhaps with a country code": { search: "5511916097776" },
  "deep page by offset": { offset: 9_000 },
};

/** The index that each of them should use. */
const INDEX: Record<string, string> = {
  "newest 50": "lead_newest",
  "status + source": "lead_status_source",
  "status + source, rare": "lead_status_source",
  "OR of two groups": "lead_status_source",
  "e-mail contains": "lead_words",
  "custom value equals": "lead_custom",
  "custom number range": "lead_custom",
  "any of two tags": "lead_tags",
  "score range by score": "lead_score",
  "a week of created_at": "lead_newest",
  "words search": "lead_words",
  "phone search": "lead_words",
  "phone search, number alone": "lead_phone_digits",
  "phone search, perhaps with a country code": "lead_phone_digits",
  "deep page by offset": "lead_newest",
};

async function fill(the: World, projectId: string, count: number): Promise<void> {
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, email, company, status, source, score, tags, custom, created_at,
       phone, phone_e164)
     SELECT $1, 'lead_' || lpad(i::text, 26, '0'), 'Name' || i, 'person' || i || '@example.org', 'Company' || i % 5000,
       CASE WHEN i % 50 = 0 THEN 'won' WHEN i % 50 < 10 THEN 'lost' ELSE 'new' END,
       CASE WHEN i % 200 = 0 THEN 'fair' WHEN i % 3 = 0 THEN 'ads' ELSE 'web' END,
       i % 1000 / 10.0, ARRAY['t' || i % 300, 'u' || i % 7],
       jsonb_build_object('plan', CASE WHEN i % 1000 = 0 THEN 'Rare' ELSE 'free' END, 'seats', i % 9000),
       now() - i * interval '10 minutes', '(21) 9' || lpad(i::text, 8, '0'), '+55219' || lpad(i::text, 8, '0')
     FROM generate_series(1, $2::integer) i`,
    [projectId, count],
  );
}

test("the usual queries are answered from indexes, whichever project asks", async () => {
  await using the = await world({ alone: true });
  const small = (await the.newProject(the.person, "Small")).id;
  await fill(the, the.project.id, 12_000);
  await fill(the, small, 3_000);
  for (const [key, type] of [
    ["plan", "text"],
    ["seats", "integer"],
  ]) {
    await the.sql("INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, $2, $2, $3)", [
      the.project.id,
      key,
      type,
    ]);
  }
  await the.sql("VACUUM ANALYZE store.lead");
  const db = the.service.db.behind(serviceDoor(the.project.id));
  const schema = await projectSchema(db, the.project.id);
  for (const [name, query] of Object.entries(USUAL)) {
    const { text, values } = planLeads(the.project.id, { ...query, total: "none" }, schema);
    const lines = await db.query<{ "QUERY PLAN": string }>(`EXPLAIN (ANALYZE, COSTS OFF) ${text}`, values);
    const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
    assert.doesNotMatch(plan, /Seq Scan on lead/, `${name}\n${plan}`);
    const index = new RegExp(`on ${INDEX[name]}\\b|using ${INDEX[name]}\\b`);
    assert.match(plan, index, `${name}\n${plan}`);
  }
});
