import assert from "node:assert/strict";
import { test } from "node:test";
import { Application } from "../oauth/support/application.ts";
import { world } from "../world.ts";
import { seedLeads } from "./support/leads-world.ts";
import { linesOf } from "./support/lines.ts";
import { checkPage, PHONE, panelWorld } from "./support/panel.ts";

const SCREEN = "settings/usage";

const HOSTILE = "<img src=x onerror=hit()>\u202e";

test("limits and usage: counts with their screens, configured limits, keys and applications for owners and admins", async () => {
  const limits = {
    api: { perMinute: 6_000, burst: 1_000 },
    mcp: null,
    datasetReads: { perMinute: 3_000, burst: 300 },
    datasetImports: { perHour: 10, burst: 2 },
  };
  await using the = await panelWorld({ env: { LIMITS: JSON.stringify(limits) } });
  await seedLeads(the, 1_234);
  const used = await the.key(["leads:read"]);
  const gone = await the.key(["leads:read"]);
  await the.sql("UPDATE store.api_key SET revoked_at = moment() WHERE id = $1", [gone.id]);
  await the.sql("UPDATE store.api_key SET name = $1 WHERE id = $2", [HOSTILE, used.id]);
  await the.sql(
    `INSERT INTO store."authorization" (project_id, id, client_id, client_name, person_id, scopes, refresh_hash, refresh_expires_at)
     SELECT $1, 'az_' || n, 'client', $3, $2, '{mcp:read,mcp:write}', '\\x00', moment() + interval '1 day' FROM generate_series(1, 2) AS n`,
    [the.project.id, the.person.id, `Assistant ${HOSTILE}`],
  );

  await the.sql(
    `INSERT INTO store.field_index (project_id, field, kind, form, requested, leads, built_at, created_at) VALUES
       ($1, 'company', 'parts', 'folded', false, 1111, now(), '2026-01-02T03:04:05Z'),
       ($1, 'email@', 'order', 'domain', false, 1200, NULL, '2026-01-02T03:04:06Z'),
       ($1, 'custom.seats', 'order', 'number', true, 1111, now(), '2026-01-02T03:04:07Z')`,
    [the.project.id],
  );

  const answer = await used.send("GET", "/api/v1/usage");
  assert.equal(answer.status, 200);
  const usage = (await answer.json()) as Record<string, unknown>;
  assert.deepEqual(usage, {
    limits: {
      api: { turns: 6_000, seconds: 60, burst: 1_000 },
      mcp: null,
      dataset_reads: { turns: 3_000, seconds: 60, burst: 300 },
      dataset_writes: { turns: 600, seconds: 60, burst: 100 },
      dataset_imports: { turns: 10, seconds: 3_600, burst: 2 },
    },
    leads: { count: 1_234, relation: "eq" },
    events: { count: 0, relation: "eq" },
    // This key may not read datasets, and a key receives no figures about others.
    datasets: null,
    dataset_rows: null,
    fields: { count: 0, most: 200 },
    changes: { kept_days: 30, bytes: 0, most_bytes: 1_000_000_000 },
    indexes: [
      ["company", "parts", "service", "ready", 1_111, "05"],
      ["email@", "order", "service", "building", 1_200, "06"],
      ["custom.seats", "order", "project", "ready", 1_111, "07"],
    ].map(([field, kind, made_by, state, leads, second]) => ({
      ...{ field, kind, made_by, state, leads, created_at: `2026-01-02T03:04:${second}+00:00` },
    })),
    views: 0,
    members: 1,
    api_keys: null,
    applications: null,
  });

  const page = await the.open(SCREEN);
  await page.getByText("1,234").waitFor();
  await page.getByRole("row", { name: /Importing into datasets.*10 per hour 2/ }).waitFor();
  await page.getByRole("row", { name: /Assistants.*Unlimited/ }).waitFor();
  const indexes = page.getByRole("region", { name: "Indexes" });
  await indexes.getByRole("row", { name: /Company.*Parts of the text.*Leadgate.*1,111.*Ready/ }).waitFor();
  await indexes
    .getByRole("row", { name: /E-mail domain.*Order and values.*Leadgate.*1,200.*Being built/ })
    .waitFor();
  await indexes
    .getByRole("row", { name: /custom\.seats.*Order and values.*Requested by the project.*1,111.*Ready/ })
    .waitFor();
  const keys = page.getByRole("region", { name: "API keys" });
  assert.equal(await keys.locator("tbody tr").count(), 1);
  await page.getByRole("row", { name: /Assistant .*Read and write 1 member Never/ }).waitFor();
  assert.equal(await page.locator("img[src=x]").count(), 0);
  await checkPage(page);
  await keys.getByRole("link", { name: "Manage API keys" }).click();
  await page.getByRole("heading", { name: "API keys" }).waitFor();

  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  const phone = await the.open(SCREEN, { as: viewer, size: PHONE, language: "pt-BR" });
  await phone.getByText("Você precisa do papel de Administrador").waitFor();
  await phone.getByText("1.234").waitFor();
  assert.equal(await phone.getByRole("region", { name: "Chaves de API" }).count(), 0);
  await checkPage(phone);
  const small = await the.open(SCREEN, { size: PHONE });
  await small.getByRole("region", { name: "API keys" }).waitFor();
  await checkPage(small, "an owner's phone");
  const words = await linesOf(small, /[\w,]+/);
  assert.ok(words.some(([text]) => text === "1,000"));
  const broken = words.filter(([, lines]) => lines > 1);
  assert.deepEqual(broken, [], "no word or number is broken in two");
});

test("an application is counted only for people who connected it in their present membership", async () => {
  await using the = await world();
  const owner = await the.signedIn();
  const [shared, personal] = [await Application.register(the), await Application.register(the)];
  const member = await the.newPerson("Bo");
  await the.join(member, the.project.id, "editor");
  const browser = await the.signedIn(member);
  await shared.tokens(owner);
  await shared.tokens(browser);
  await personal.tokens(browser);
  const connected = async (): Promise<Record<string, number>> => {
    const answer = await owner.get(`/panel/api/${the.project.id}/v1/usage`);
    assert.equal(answer.status, 200);
    const { applications } = (await answer.json()) as {
      applications: { client_id: string; people: number }[];
    };
    return Object.fromEntries(applications.map(({ client_id, people }) => [client_id, people]));
  };
  assert.deepEqual(await connected(), { [shared.clientId]: 2, [personal.clientId]: 1 });
  const elsewhere = await the.newProject(member, "Other");
  await the.join(the.person, elsewhere.id, "viewer");
  // The state after an exchange that read the membership just before the removal and committed after it.
  await the.sql("DELETE FROM membership WHERE project_id = $1 AND person_id = $2", [
    the.project.id,
    member.id,
  ]);
  assert.deepEqual(await connected(), { [shared.clientId]: 1 }, "a former member");
  await the.join(member, the.project.id, "editor");
  assert.deepEqual(await connected(), { [shared.clientId]: 1 }, "a member who came back");
  await personal.tokens(browser);
  assert.deepEqual(await connected(), { [shared.clientId]: 1, [personal.clientId]: 1 });
});
