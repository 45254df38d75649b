import type { PanelWorld } from "./panel.ts";

const SOURCES = [
  "Website",
  "website",
  "Google Ads",
  "Referral",
  "Trade fair",
  "LinkedIn",
  "Cold call",
  "Newsletter",
];
const CAMPAIGNS = [
  "Spring launch",
  "Webinar: first steps",
  "Black Friday",
  "Partner programme",
  "Retargeting",
];

/**
 * Seeds the world's project with so many leads, spread over the last 120 days of its time zone: fewer at
 * weekends, from a few sources and campaigns, some of them answered, won or lost.
 */
export async function seedDashboard(
  the: PanelWorld,
  count: number,
  owners: readonly string[],
): Promise<void> {
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, email, status, value, currency, source, campaign, owner_id, created_at)
     SELECT $1, 'lead_' || lpad(to_hex(n), 26, '0'), 'Lead ' || n, 'lead' || n || '@example.org',
       CASE WHEN h3 % 100 < 34 THEN 'new' WHEN h3 % 100 < 58 THEN 'contacted' WHEN h3 % 100 < 74 THEN 'qualified'
         WHEN h3 % 100 < 84 + h1 % 7 THEN 'won' ELSE 'lost' END,
       CASE WHEN h2 % 9 > 0 THEN 200 + h1 % 5400 END, CASE WHEN h2 % 40 = 0 THEN 'USD' ELSE 'BRL' END,
       CASE WHEN h1 % 19 > 0 THEN ($2::text[])[1 + (h1 * h1) % 8 * (h2 % 3) / 2] END,
       CASE WHEN h2 % 3 > 0 THEN ($3::text[])[1 + h2 % 5] END,
       CASE WHEN h4 % 6 > 0 THEN ($4::text[])[1 + h4 % cardinality($4::text[])] END,
       greatest(at, now() - interval '200 days')
     FROM (SELECT n, abs(hashint4(n)) % 1009 AS h1, abs(hashint4(n + 7919)) % 1013 AS h2, abs(hashint4(n + 104729)) % 1019 AS h3,
         abs(hashint4(n + 1299709)) % 1021 AS h4 FROM generate_series(1, $5::int) AS n) AS numbers,
     LATERAL (SELECT least(now() - interval '1 minute', date_trunc('day', now()) - make_interval(days => day) + make_interval(mins => 480 + h4 % 600)) AS at
       FROM (SELECT (120 * power((h3 + h1 * 1019 % 997) % 2003 / 2003.0, 1.25))::int AS raw) AS r,
       LATERAL (SELECT CASE WHEN extract(isodow FROM now() - make_interval(days => raw)) > 5 AND h2 % 4 > 0 THEN raw + 2 ELSE raw END AS day) AS d) AS t`,
    [the.project.id, SOURCES, CAMPAIGNS, owners, count],
  );
  // A cluster numbers events only if its coordinator has their rows.
  const answered = await the.sql(
    `SELECT id, created_at + make_interval(secs => power(h % 997 / 60.0, 4)) AS at, (ARRAY['call.made','email.sent','message.sent'])[1 + h % 3] AS type
     FROM (SELECT *, abs(hashtext(id)) AS h FROM store.lead WHERE project_id = $1) AS lead WHERE h % 5 > 0`,
    [the.project.id],
  );
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, recorded_at, source, actor, title, data)
     SELECT $1, 'evt_' || substr(id, 6), id, type, at, now(), 'crm', '{}', 'Answered', '{}'
     FROM jsonb_to_recordset($2::jsonb) AS a (id text, type text, at timestamptz)`,
    [the.project.id, JSON.stringify(answered)],
  );
  await the.sql("ANALYZE store.lead");
  await the.sql("ANALYZE store.event");
}
