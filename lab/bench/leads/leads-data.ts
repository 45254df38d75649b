import { en, Faker } from "@faker-js/faker";
import type { BenchDatabase } from "../support/database.ts";

export interface BenchProject {
  id: string;
  leads: number;
}

const OTHERS = 8;
const SHARED = 490_000;

/** A million leads in ten projects: one of 500,000, one of 10,000, and eight that share the rest. */
export const BENCH_PROJECTS: readonly BenchProject[] = [
  { id: projectId(1), leads: 500_000 },
  { id: projectId(2), leads: 10_000 },
  ...Array.from({ length: OTHERS }, (_, i) => ({ id: projectId(i + 3), leads: SHARED / OTHERS })),
];

function projectId(n: number): string {
  return `prj_0bench${String(n).padStart(20, "0")}`;
}

/** Returns a project of this size, for benchmarks that compare sizes. */
export const projectOf = (leads: number): BenchProject => ({
  id: `prj_0bench9${String(leads).padStart(19, "0")}`,
  leads,
});

/** Generates the leads that are missing; the same seed generates the same leads. */
export async function prepareLeads(
  { sql }: BenchDatabase,
  say: (line: string) => void,
  projects: readonly BenchProject[] = BENCH_PROJECTS,
): Promise<void> {
  const faker = new Faker({ locale: [en] });
  faker.seed(20_261_121);
  const words = [
    Array.from({ length: 400 }, () => faker.person.firstName()),
    Array.from({ length: 800 }, () => faker.person.lastName()),
    Array.from({ length: 600 }, () => faker.company.name()),
    Array.from({ length: 200 }, () => faker.location.city()),
  ];
  for (const { id, leads } of projects) {
    const [stored] = await sql<{ n: number }>(
      "SELECT count(*)::int AS n FROM store.lead WHERE project_id = $1",
      [id],
    );
    if (stored?.n === leads) continue;
    say(`generating ${leads.toLocaleString("en")} leads in ${id}`);
    await sql("DELETE FROM store.project WHERE project_id = $1", [id]);
    await sql("INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Benchmark', 'benchmark')", [
      id,
    ]);
    await sql(GENERATE, [id, leads, ...words]);
  }
  say("VACUUM ANALYZE");
  await sql("VACUUM ANALYZE store.lead");
}

/**
 * A lead's pseudo-random bits come from hashint8, so that the order of execution does not matter. Forty
 * leads, spread evenly over the project, have rare values: as many in a small project as in a large one.
 */
const GENERATE = `
  INSERT INTO store.lead (project_id, id, external_id, name, first_name, last_name, email, phone, phone_e164, company,
    city, country, status, score, value, currency, source, medium, campaign, tags, custom, created_at, updated_at)
  SELECT $1, 'lead_' || lpad(to_hex(n), 26, '0'), 'ext-' || n, f || ' ' || l, f, l,
    lower(f || '.' || l || n || '@example.com'), '+49 30 ' || lpad(n::text, 8, '0'), '+4930' || lpad(n::text, 8, '0'),
    ($5::text[])[1 + h3 % 600], ($6::text[])[1 + h4 % 200], (ARRAY['DE','BR','US','GB','FR'])[1 + h1 % 5],
    CASE WHEN rare THEN 'won' ELSE (ARRAY['new','new','new','contacted','contacted','qualified','won','lost','lost','lost'])[1 + h2 % 10] END,
    h3 % 101, (h4 % 100000) / 10.0, 'EUR',
    CASE WHEN rare THEN 'fair' ELSE (ARRAY['website','website','website','referral','referral','event','ads','ads','partner','cold call'])[1 + h1 % 10] END,
    (ARRAY['organic','paid','email'])[1 + h4 % 3], 'campaign ' || h2 % 40,
    CASE WHEN rare THEN ARRAY['speaker'] ELSE ARRAY['tag' || h1 % 30, 'tag' || (30 + h3 % 30)] END,
    CASE WHEN rare THEN jsonb_build_object('plan', 'enterprise', 'seats', 5000 + h4 % 200)
      ELSE jsonb_build_object('plan', (ARRAY['free','pro','team'])[1 + h3 % 3], 'seats', h4 % 200) END,
    timestamptz '2026-01-01' - make_interval(secs => n * 60 + h1 % 60), timestamptz '2026-01-01'
  FROM (SELECT n, h1, h2, h3, h4, n % greatest($2 / 40, 2) = 1 AS rare, ($3::text[])[1 + h1 % 400] AS f, ($4::text[])[1 + h2 % 800] AS l
    FROM generate_series(1, $2::int) AS n,
    LATERAL (SELECT abs(hashint8extended(n, 1) % 1000003)::int AS h1, abs(hashint8extended(n, 2) % 1000003)::int AS h2,
      abs(hashint8extended(n, 3) % 1000003)::int AS h3, abs(hashint8extended(n, 4) % 1000003)::int AS h4) AS h) AS bits`;
