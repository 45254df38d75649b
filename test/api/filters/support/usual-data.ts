import { en, Faker } from "@faker-js/faker";
import type { World } from "../../../world.ts";

/** A project of leads with timelines, custom fields and a linked dataset. */
export interface UsualProject {
  id: string;
  leads: number;
  /** A lead with a timeline of 10,000 events. */
  busiest: string;
  /** When its data were made: the newest lead is from then. */
  madeAt: Date;
}

/** The events of the busiest lead. */
const BUSY = 10_000;
const SEED = 20_261_125;

/** Generates what is missing: a project for each size. The same seed generates the same values, dated back from now. */
export async function prepareUsual(
  { sql }: Pick<World, "sql">,
  say: (line: string) => void,
  sizes: readonly number[],
): Promise<UsualProject[]> {
  const words = await wordLists();
  let made = false;
  const projects: UsualProject[] = [];
  for (const leads of sizes) {
    const id = `prj_0every${String(leads).padStart(20, "0")}`;
    const [stored] = await sql<{ n: number }>(
      "SELECT count(*)::int AS n FROM store.lead WHERE project_id = $1",
      [id],
    );
    if (stored?.n !== leads) {
      say(`generating ${leads.toLocaleString("en")} leads in ${id}`);
      await sql("DELETE FROM store.project WHERE project_id = $1", [id]);
      await sql(
        "INSERT INTO store.project (project_id, name, slug, default_country) VALUES ($1, 'Usual', 'usual', 'DE')",
        [id],
      );
      await fill(sql, [{ id, leads, before: 0 }], words);
      await addBusiest(sql, id);
      made = true;
    }
    const [project] = await sql<{ at: Date }>(
      "SELECT max(created_at) AS at FROM store.lead WHERE project_id = $1",
      [id],
    );
    projects.push({ id, leads, busiest: BUSIEST, madeAt: project?.at ?? new Date() });
  }
  if (made) {
    say("VACUUM ANALYZE");
    for (const table of ["lead", "event", "dataset_row"]) await sql(`VACUUM ANALYZE store.${table}`);
  }
  return projects;
}

/** The names, companies and places of all sizes, from the most usual to the rarest. */
export async function wordLists(): Promise<
  Record<"first" | "last" | "company" | "city" | "title", string[]>
> {
  const faker = new Faker({ locale: [en] });
  faker.seed(SEED);
  const list = (length: number, word: () => string) => Array.from({ length }, word);
  return {
    first: list(400, () => faker.person.firstName()),
    last: list(800, () => faker.person.lastName()),
    company: list(3_000, () => faker.company.name()),
    city: list(600, () => faker.location.city()),
    title: list(200, () => faker.person.jobTitle()),
  };
}

/** The id of the nth lead, the newest first. */
const leadId = (n: number): string => `lead_${n.toString(16).padStart(26, "0")}`;

/** The id of a lead with a timeline of 10,000 events. */
export const BUSIEST = leadId(3);

/** A project to be filled. */
export interface EmptyProject {
  id: string;
  leads: number;
  /** How many leads the projects before it have: values are drawn by a lead's number among all. */
  before: number;
}

/** Fills empty projects, with two events for each lead on average. */
export async function fill(
  sql: World["sql"],
  projects: readonly EmptyProject[],
  { first, last, company, city, title }: Awaited<ReturnType<typeof wordLists>>,
  eventsPerLead = 2,
): Promise<void> {
  const ids = projects.map(({ id }) => id);
  const which = [ids, projects.map(({ leads }) => leads), projects.map(({ before }) => before)];
  await sql(
    `INSERT INTO store.custom_field (project_id, key, label, type)
     SELECT id, key, key, type FROM unnest($1::text[]) AS id, (VALUES ('plan', 'text'), ('seats', 'integer'), ('budget', 'number'),
       ('renewal', 'date'), ('vip', 'boolean'), ('segment', 'text')) AS fields (key, type)`,
    [ids],
  );
  await sql(LEADS, [...which, first, last, company, city, title]);
  await sql(EVENTS, [...which, eventsPerLead]);
  await sql(DATASET, [ids]);
  await sql(ROWS, which);
}

/** Gives the lead BUSIEST its timeline. */
export async function addBusiest(sql: World["sql"], id: string): Promise<void> {
  await sql(BUSY_EVENTS, [id, BUSIEST, BUSY]);
}

/** The projects that are being filled. */
const PROJECTS = "unnest($1::text[], $2::int[], $3::int[]) AS p (project_id, leads, before)";

/**
 * Pseudo-random numbers of a row, h1 to h6, which do not depend on the order of execution. `skewed` values are
 * more usual the smaller they are.
 */
const BITS = `LATERAL (SELECT ${[1, 2, 3, 4, 5, 6].map((i) => `abs(hashint8extended(n, ${i}) % 1000003)::int AS h${i}`).join(", ")}) AS h`;

const skewed = (bits: string, size: number): string => `1 + floor(${size} * (${bits} / 1000003.0) ^ 3)::int`;

/** Forty leads, spread evenly over the project, have rare values: as many in a small project as in a large one. */
const RARE = "n % greatest(leads / 40, 2) = 1";

const LEADS = `
  INSERT INTO store.lead (project_id, id, external_id, name, first_name, last_name, email, emails, phone, phone_e164, phones,
    company, job_title, city, country, language, status, lifecycle_stage, score, value, currency, owner_id, source, medium, campaign,
    utm_source, tags, custom, do_not_contact, last_activity_at, created_at, updated_at)
  SELECT project_id, 'lead_' || lpad(to_hex(n), 26, '0'), 'ext-' || n, f || ' ' || l, f, l,
    lower(f || '.' || l || n || '@' || CASE WHEN ${RARE} THEN 'rare-firm.example' ELSE 'firm' || h5 % 2000 || '.example' END),
    CASE WHEN h5 % 10 = 0 THEN ARRAY[lower(l || n || '@home.example')] ELSE '{}' END,
    '+49 30 ' || lpad(n::text, 8, '0'), '+4930' || lpad(n::text, 8, '0'),
    CASE WHEN h6 % 10 = 0 THEN ARRAY['+49 40 ' || lpad(n::text, 8, '0')] ELSE '{}' END,
    CASE WHEN h6 % 20 > 0 THEN ($6::text[])[${skewed("h3", 3_000)}] END, ($8::text[])[${skewed("h4", 200)}],
    ($7::text[])[${skewed("h5", 600)}], (ARRAY['DE','BR','US','GB','FR','PT','ES','IT','NL','PL'])[${skewed("h1", 10)}],
    (ARRAY['de','pt','en'])[1 + h2 % 3],
    CASE WHEN rare THEN 'won' ELSE (ARRAY['new','new','new','contacted','contacted','qualified','won','lost','lost','lost'])[1 + h2 % 10] END,
    (ARRAY['subscriber','mql','sql','customer'])[1 + h3 % 4], CASE WHEN h4 % 8 > 0 THEN h3 % 101 END,
    CASE WHEN h1 % 4 > 0 THEN (h4 % 100000) / 10.0 END, 'EUR', 'person_usual' || h6 % 12,
    CASE WHEN rare THEN 'fair' ELSE (ARRAY['website','website','website','referral','referral','event','ads','ads','partner','cold call'])[1 + h1 % 10] END,
    (ARRAY['organic','paid','email'])[1 + h4 % 3], 'campaign ' || h2 % 40, (ARRAY['google','meta','bing'])[1 + h5 % 3],
    CASE WHEN rare THEN ARRAY['speaker'] ELSE ARRAY['tag' || h1 % 30, 'tag' || (30 + h3 % 30)] END,
    CASE WHEN rare THEN jsonb_build_object('plan', 'enterprise', 'seats', 5000 + h4 % 200) ELSE jsonb_build_object('plan',
      (ARRAY['free','pro','team'])[1 + h3 % 3], 'seats', h4 % 200, 'budget', round(h5 / 7.0, 2), 'vip', h6 % 50 = 0,
      'renewal', to_char(now() + make_interval(days => h6 % 720 - 360), 'YYYY-MM-DD'), 'segment', 'segment ' || h1 % 500) END,
    h5 % 100 = 0, CASE WHEN h2 % 5 > 0 THEN made + (now() - made) * (h4 / 1000003.0) END,
    made, CASE WHEN h6 % 500 = 0 THEN now() - interval '1 day' * (h5 / 1000003.0) ELSE made + (now() - made) * (h5 / 1000003.0) END
  FROM (SELECT project_id, leads, n, h1, h2, h3, h4, h5, h6, ${RARE} AS rare, ($4::text[])[${skewed("h1", 400)}] AS f, ($5::text[])[${skewed("h2", 800)}] AS l,
      now() - interval '2 years' * ((n - before)::float8 / leads) - make_interval(secs => h1 % 60) AS made
    FROM ${PROJECTS}, generate_series(before + 1, before + leads) AS n, ${BITS}) AS bits`;

const ACTOR = `'{"type": "cli", "id": null, "label": "command line"}'`;

/** Opened e-mails, calls, few meetings, and forty signatures. */
const EVENTS = `
  INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, recorded_at, source, actor, title, data)
  SELECT project_id, 'evt_' || lpad(to_hex(n), 26, '0'), 'lead_' || lpad(to_hex(lead), 26, '0'), kind, at, at, 'api', ${ACTOR}, kind,
    jsonb_build_object('campaign', 'campaign ' || h3 % 40, 'minutes', h4 % 60)
  FROM (SELECT project_id, n, h3, h4, now() - interval '2 years' * (h2 / 1000003.0) AS at,
      CASE WHEN ${RARE} THEN 'contract.signed' WHEN h5 % 100 < 60 THEN 'email.opened' WHEN h5 % 100 < 80 THEN 'email.sent'
        WHEN h5 % 100 < 97 THEN 'call.made' ELSE 'meeting.held' END AS kind,
      before + 1 + floor(leads * (h1 / 1000003.0) ^ 2)::int AS lead
    FROM ${PROJECTS}, generate_series((before * $4::float8)::int + 1, ((before + leads) * $4::float8)::int) AS n, ${BITS}) AS bits`;

const BUSY_EVENTS = `
  INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, recorded_at, source, actor, title, data)
  SELECT $1, 'evt_busy' || lpad(to_hex(n), 22, '0'), $2, 'page.viewed', now() - n * interval '1 minute', now(), 'api', ${ACTOR}, 'Page viewed',
    jsonb_build_object('page', '/p/' || n) FROM generate_series(1, $3::int) AS n`;

const DATASET = `
  INSERT INTO store.dataset (project_id, id, key, name, columns, lead_link, slots)
  SELECT id, 'ds_usual' || right(id, 18), 'orders', 'Orders', '[{"slot": "c0", "key": "customer", "label": "Customer", "type": "text", "required": false, "unique": false, "options": []},
    {"slot": "c1", "key": "amount", "label": "Amount", "type": "number", "required": false, "unique": false, "options": []}]',
    '{"column": "customer", "match": "external_id", "side": 0, "slot": "c0"}', 2
  FROM unnest($1::text[]) AS id`;

/** Orders for every fifth lead. */
const ROWS = `
  INSERT INTO store.dataset_row (project_id, dataset_id, id, cells, link0)
  SELECT project_id, 'ds_usual' || right(project_id, 18), 'row_' || lpad(to_hex(n), 26, '0'),
    jsonb_build_object('c0', 'ext-' || n, 'c1', h1 % 5000), 'ext-' || n
  FROM ${PROJECTS}, generate_series(before + 5, before + leads, 5) AS n, ${BITS}`;
