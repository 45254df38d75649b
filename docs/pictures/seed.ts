import { base, en, Faker, pt_BR } from "@faker-js/faker";
import { livedLead } from "../../test/panel/support/lead-seed.ts";
import type { PanelWorld } from "../../test/panel/support/panel.ts";
import type { KeyActor } from "../../test/world.ts";

const LEADS = 1_280;
const DAY = 86_400_000;

const SOURCES = ["Website", "Google Ads", "Referral", "Trade fair", "LinkedIn", "Newsletter"];
const CAMPAIGNS = ["Spring launch", "Webinar: first steps", "Partner programme", "Retargeting"];
const JOBS = [
  "Head of Operations",
  "Buyer",
  "Founder",
  "Plant manager",
  "Office manager",
  "CFO",
  "Logistics lead",
];
const CITIES = ["São Paulo", "Campinas", "Santos", "Curitiba", "Recife", "Porto Alegre", "Salvador"];
const TAGS = ["enterprise", "referral", "event", "south", "priority"];

/** Returns a random item, earlier ones more often. */
const drawn = <T>(faker: Faker, list: readonly T[]): T =>
  list[Math.floor(list.length * faker.number.float() ** 1.6)] as T;

/** A change of many leads in the panel, of which a colleague worked on some since, and one of a row with this address. */
async function changes(
  the: PanelWorld,
  key: KeyActor,
  members: readonly { id: string; name: string }[],
  email: string | undefined,
) {
  await the.sql("UPDATE store.change SET created_at = created_at - interval '1 day'");
  const made = async (method: string, path: string, body: object, by: number, minutesAgo: number) => {
    const answer = await key.send(method, path, body);
    await answer.text();
    const change = answer.headers.get("X-Leadgate-Change");
    const { id, name } = members[by] ?? the.person;
    const actor = JSON.stringify({ type: "person", id, label: name });
    await the.sql(
      `UPDATE store.change SET actor = $2::jsonb, person_id = $3, surface = 'panel',
         created_at = created_at - make_interval(mins => $4) WHERE id = $1`,
      [change, actor, id, minutesAgo],
    );
    await the.sql(
      `UPDATE store.event SET actor = $2::jsonb, source = 'panel', occurred_at = occurred_at - make_interval(mins => $3),
         recorded_at = recorded_at - make_interval(mins => $3)
       WHERE change_id = $1`,
      [change, actor, minutesAgo],
    );
  };
  const filter = {
    and: [
      { field: "source", op: "in", value: ["Trade fair", "LinkedIn"] },
      { field: "status", op: "eq", value: "new" },
    ],
  };
  const found = await key.send("POST", "/api/v1/leads/search", { filter, fields: ["id"], limit: 500 });
  const { leads } = (await found.json()) as { leads: { id: string }[] };
  const set = { status: "contacted", tags: ["follow-up"] };
  const bulk = { op: "set", set, filter, expected_count: leads.length };
  await made("POST", "/api/v1/leads/bulk", bulk, 0, 190);
  for (const { id } of leads.slice(0, 2))
    await made("PATCH", `/api/v1/leads/${id}`, { status: "qualified" }, 2, 95);
  const items = leads.slice(5, 20).map(({ id }) => ({ id }));
  await made("POST", "/api/v1/leads/bulk", { op: "tag_add", tags: ["spring"], items }, 1, 41);
  const company = { email, sector: "Logistics", employees: 120 };
  await made("POST", "/api/v1/datasets/companies/rows/batch", { mode: "upsert", rows: [company] }, 2, 12);
}

/** Fills the project with invented data, the same each time; returns the lead with the longest timeline. */
export async function seed(the: PanelWorld): Promise<{ lead: string }> {
  const faker = new Faker({ locale: [pt_BR, en, base] });
  faker.seed(20_261_121);
  const members = [the.person];
  for (const role of ["admin", "editor", "editor", "viewer"] as const) {
    const person = await the.newPerson(faker.person.fullName());
    await the.join(person, the.project.id, role);
    if (role !== "viewer") members.push(person);
  }
  for (const person of members) person.email = `${person.name.split(" ")[0]?.toLowerCase()}@harbour.example`;
  await the.sql("UPDATE person SET email = lower(split_part(name, ' ', 1)) || '@harbour.example'");
  const now = Date.now();
  const leads = Array.from({ length: LEADS }, (_, place) => {
    const [first, last] = [faker.person.firstName(), faker.person.lastName()];
    const company = faker.company.name();
    const host = company
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z]+/g, "-")
      .replace(/^-|-$/g, "");
    const days = 110 * faker.number.float() ** 1.2;
    const at = new Date(now - days * DAY - 60_000 * place * 0.001);
    at.setUTCHours(11 + Math.floor(11 * faker.number.float()), Math.floor(60 * faker.number.float()));
    const made = Math.min(at.getTime(), now - 60_000 * (1 + (place % 50)));
    const ripe = Math.min(1, days / 60);
    const fate = faker.number.float();
    const status =
      fate > ripe
        ? fate > 0.6
          ? "new"
          : "contacted"
        : drawn(faker, ["qualified", "contacted", "won", "lost"]);
    const digits = faker.string.numeric(8);
    return {
      id: `lead_${String(place).padStart(26, "0")}`,
      name: `${first} ${last}`,
      email: `${first}.${last}@${host}${place}.example`
        .normalize("NFD")
        .replace(/\p{M}|[^\w.@-]/gu, "")
        .toLowerCase(),
      phone: `+55 11 9${digits.slice(0, 4)}-${digits.slice(4)}`,
      phone_e164: `+55119${digits}`,
      company,
      job_title: drawn(faker, JOBS),
      city: drawn(faker, CITIES),
      country: "BR",
      status,
      value: faker.number.int({ min: 8, max: 640 }) * 50,
      currency: "BRL",
      source: drawn(faker, SOURCES),
      campaign: faker.number.float() < 0.7 ? drawn(faker, CAMPAIGNS) : null,
      score: faker.number.int({ min: 5, max: 98 }),
      tags: faker.helpers.arrayElements(TAGS, faker.number.int({ min: 0, max: 2 })),
      owner_id: faker.number.float() < 0.85 ? drawn(faker, members).id : null,
      created_at: new Date(made).toISOString(),
      answered:
        faker.number.float() < 0.82
          ? new Date(made + 3_600_000 * 30 * faker.number.float() ** 4).toISOString()
          : null,
    };
  });
  const { id: project } = the.project;
  await the.sql(
    "UPDATE store.project SET timezone = 'America/Sao_Paulo', currency = 'BRL', default_country = 'BR'",
  );
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, email, phone, phone_e164, company, job_title, city, country, status, value,
       currency, source, campaign, score, tags, owner_id, created_at, updated_at, last_activity_at)
     SELECT $1, id, name, email, phone, phone_e164, company, job_title, city, country, status, value, currency, source, campaign,
       score, tags, owner_id, created_at, created_at, least(coalesce(answered, created_at), moment())
     FROM jsonb_to_recordset($2::jsonb) AS given (id text, name text, email text, phone text, phone_e164 text, company text,
       job_title text, city text, country text, status text, value float8, currency text, source text, campaign text, score float8,
       tags text[], owner_id text, created_at timestamptz, answered timestamptz)`,
    [project, JSON.stringify(leads)],
  );
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, source, title)
     SELECT $1, 'evt_' || substr(id, 6), id, 'call.made', answered, 'dialer', 'Call made'
     FROM jsonb_to_recordset($2::jsonb) AS given (id text, answered timestamptz) WHERE answered < moment()`,
    [project, JSON.stringify(leads)],
  );
  const { id, key } = await livedLead(the);
  for (const field of [
    {
      key: "seats",
      label: "Seats",
      type: "integer",
      indexed: true,
      description: "Number of users.",
    },
    { key: "last_visit", label: "Last visit", type: "datetime", timeline: false },
  ])
    await key.send("POST", "/api/v1/fields", field);
  const rows = leads.slice(0, 60).map(({ email }) => ({
    email,
    employees: faker.number.int({ min: 3, max: 900 }),
    sector: drawn(faker, ["Logistics", "Retail", "Food", "Textiles", "Machines"]),
  }));
  await key.send("POST", "/api/datasets/companies/rows/", { rows, mode: "insert" });
  const views = [
    [
      "Worth calling today",
      {
        and: [
          { field: "status", op: "eq", value: "new" },
          { field: "score", op: "gte", value: 70 },
        ],
      },
    ],
    [
      "Referrals, last 30 days",
      {
        and: [
          { field: "source", op: "eq", value: "Referral" },
          { field: "created_at", op: "in_last", value: { n: 30, unit: "day" } },
        ],
      },
    ],
  ] as const;
  for (const [name, filter] of views) await key.send("POST", "/api/v1/views", { name, query: { filter } });
  await the.sql("UPDATE store.api_key SET name = 'Website form' WHERE project_id = $1", [project]);
  for (const asked of [{ format: "csv" }, { format: "ndjson", filter: views[0][1] }])
    await key.send("POST", "/api/v1/exports", asked);
  await the.sql(
    `UPDATE store.event SET actor = jsonb_set(actor, '{label}', '"Website form"') WHERE actor ->> 'label' = 'test'`,
  );
  await the.sql(`UPDATE store.change SET actor = jsonb_set(actor, '{label}', '"Website form"')`);
  await changes(the, key, members, leads[7]?.email);
  await the.sql("ANALYZE");
  return { lead: id };
}
