import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { large } from "../large.ts";
import type { KeyActor } from "../world.ts";
import { makeLead } from "./support/lead-seed.ts";
import { seedLeads } from "./support/leads-world.ts";
import { checkPage, type PanelWorld, PHONE, panelWorld } from "./support/panel.ts";

const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
/** A sentence in which names are isolated from the direction of the text around them. */
const told = (sentence: string) => new RegExp(sentence.replaceAll(" ", "\u2069?,? \u2068?"));
const line = (page: Page, what: string | RegExp) =>
  page.getByRole("listitem").filter({ hasText: what }).first();
const dialog = (page: Page) => page.getByRole("dialog", { name: "Undo this change?" });
const undone = (page: Page) => page.getByText("Undone", { exact: true }).first().waitFor();
const writer = (the: PanelWorld) => the.key(["leads:read", "leads:write", "schema:write"]);
const idOf = (n: number) => `lead_${n.toString(16).padStart(26, "0")}`;

async function member(the: PanelWorld, name: string, role: "editor" | "viewer" | "admin") {
  const person = await the.newPerson(name);
  await the.join(person, the.project.id, role);
  return person;
}

async function change(key: KeyActor, id: string, body: object): Promise<void> {
  const answer = await key.send("PATCH", `/api/v1/leads/${id}`, body);
  assert.equal(answer.status, 200, await answer.clone().text());
  await answer.text();
}

const stored = async (the: PanelWorld, field: string, id: string): Promise<unknown> =>
  (
    await the.sql<Record<string, unknown>>(
      `SELECT ${field} FROM store.lead WHERE project_id = $1 AND id = $2`,
      [the.project.id, id],
    )
  )[0]?.[field];

const STATUSES = "SELECT id, status FROM store.lead ORDER BY id";

/** The person in a second browser sets the status of a lead in the table. */
async function setStatus(page: Page, name: string, status: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).first().click();
  await page.getByRole("group", { name: "Status" }).getByRole("button", { name: status }).click();
  await said(page, `Status changed to ${status}`);
}

test("History shows who did what, when and how often; a change is opened, undone and made again", async () => {
  await using the = await panelWorld();
  const key = await writer(the);
  const id = await makeLead(key, { name: "Ana Souza", status: "new", tags: ["vip", "south"] });
  await change(key, id, { status: "contacted", tags: ["vip", "spring"] });
  const page = await the.open("history");
  const changed = line(page, told("Set Status and Tags of Ana Souza"));
  await changed.getByText("API key “test”").waitFor();
  await line(page, "Created").waitFor();
  await checkPage(page, "history");
  await page.getByRole("link", { name: told("Set Status and Tags of Ana Souza") }).click();
  await page.getByRole("heading", { level: 1, name: told("Set Status and Tags") }).waitFor();
  const record = page.getByRole("region", { name: "What it changed" });
  await record.getByText("contacted").waitFor();
  await record.getByText("spring").waitFor();
  assert.equal(await record.getByText("vip").count(), 0);
  await checkPage(page, "a change");
  await page.getByRole("button", { name: /^Undo/ }).click();
  await dialog(page).getByText("1 lead gets its former values back.").waitFor();
  await checkPage(page, "what an undo would do");
  await dialog(page).getByRole("button", { name: "Undo" }).click();
  await said(page, "This is undone already.");
  assert.deepEqual(
    [await stored(the, "status", id), await stored(the, "tags", id)],
    ["new", ["vip", "south"]],
  );
  await page.getByRole("link", { name: "See its undo" }).click();
  await page.getByRole("heading", { level: 1, name: told("Undid: Set Status and Tags") }).waitFor();
  await page.getByRole("button", { name: /^Undo: / }).click();
  await dialog(page).getByRole("button", { name: "Undo" }).click();
  await said(page, "This is undone already.");
  assert.equal(await stored(the, "status", id), "contacted");
  await page.getByRole("link", { name: "All changes" }).click();
  await line(page, told("Redid: Set Status and Tags of Ana Souza")).waitFor();
});

large("filters are in the address: who, what, when, only what can be undone, and one lead", async () => {
  await using the = await panelWorld();
  const key = await writer(the);
  const ana = await makeLead(key, { name: "Ana Souza" });
  const bruno = await makeLead(key, { name: "Bruno Lima" });
  await change(key, ana, { city: "Natal" });
  await change(key, bruno, { score: 7 });
  assert.equal((await key.send("POST", `/api/v1/leads/${bruno}/events`, { type: "call.made" })).status, 201);
  const page = await the.open("history");
  await line(page, told("Set City of Ana Souza")).waitFor();
  await page.getByRole("combobox", { name: "What" }).click();
  await page.getByRole("option", { name: "Lead changed" }).click();
  await line(page, told("Set Score of Bruno Lima")).waitFor();
  await page.getByText("Recorded an event").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Who" }).click();
  await page.getByRole("option", { name: "Me", exact: true }).click();
  await said(page, "No changes found");
  await checkPage(page, "nothing found");
  await page.reload();
  await said(page, "No changes found");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await line(page, told("Recorded an event")).waitFor();
  await page.getByLabel("To", { exact: true }).fill("2020-01-31");
  await said(page, "No changes found");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("switch", { name: "Only what can be undone" }).click();
  await page.waitForURL(/undo=yes/);
  await line(page, told("Set City of Ana Souza")).waitFor();

  await page.goto(page.url().replace(/history.*/, `leads/${ana}`));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Changes of this lead" }).click();
  await line(page, told("Set City of Ana Souza")).waitFor();
  assert.equal(await page.getByText(/Bruno Lima/).count(), 0);
  await page.getByRole("button", { name: "Show changes of all leads" }).click();
  await line(page, told("Set Score of Bruno Lima")).waitFor();
});

large(
  "an editor sets 1,149 leads to lost and takes it back, while a colleague works on twelve of them",
  async () => {
    await using the = await panelWorld({ alone: true });
    await seedLeads(the, 1_149);
    const former = await the.sql<{ id: string; status: string }>(STATUSES);
    const twelve = await the.sql<{ id: string; name: string }>(
      "SELECT id, name FROM store.lead WHERE status NOT IN ('lost', 'won') ORDER BY created_at DESC, id LIMIT 12",
    );
    const editor = await member(the, "Edu", "editor");
    const bia = await member(the, "Bia", "editor");
    const page = await the.open("leads", { as: editor });
    await said(page, "1,149 leads");
    const hers = await the.open("leads", { as: bia });
    await page.getByRole("checkbox", { name: "Select all loaded leads" }).click();
    const bar = page.getByRole("region", { name: "Change selected leads" });
    await bar.getByRole("button", { name: "Select all 1,149 matching leads" }).click();
    await bar.getByRole("button", { name: "Status" }).click();
    await page.getByRole("dialog").getByLabel("New status").click();
    await page.getByRole("option", { name: "lost" }).click();
    await page.getByRole("button", { name: /^Change [\d,]+ leads$/ }).click();
    await said(page, /leads changed$/);
    // the message stays while the pointer is on it
    await page.getByRole("button", { name: "Undo", exact: true }).hover();
    for (const { id, name } of twelve) {
      await setStatus(hers, name, "won");
      while ((await stored(the, "status", id)) !== "won") await sleep(20);
      await hers.getByRole("link", { name: "Back to list" }).click();
    }
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await said(page, /^Undone, except 12 leads that .?Bia.? changed since/);
    await checkPage(page, "an undo that kept something");
    const statuses = await the.sql<{ status: string; count: number }>(
      "SELECT status, count(*)::int AS count FROM store.lead GROUP BY status ORDER BY status",
    );
    const lost = statuses.find(({ status }) => status === "lost")?.count ?? 0;
    assert.equal(lost, 230);
    for (const { id } of twelve) assert.equal(await stored(the, "status", id), "won");
    const others = await the.sql<{ id: string; status: string }>(STATUSES);
    const hers12 = new Set(twelve.map(({ id }) => id));
    assert.deepEqual(
      others.filter(({ id }) => !hers12.has(id)),
      former.filter(({ id }) => !hers12.has(id)),
    );
    await page.getByRole("button", { name: "History" }).click();
    await page.getByRole("heading", { level: 1, name: told("Undid: Set Status of") }).waitFor();
    await said(page, /Bia.* changed it since/);
    await checkPage(page, "what an undo kept");
  },
);

test("before a change of many is undone, History says what stays as it is, and lists it", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 30);
  const bia = await member(the, "Bia", "editor");
  const key = await writer(the);
  const filter = { and: [] };
  const bulk = { op: "set", set: { status: "lost" }, filter, expected_count: 30 };
  const done = await key.send("POST", "/api/v1/leads/bulk", bulk);
  assert.equal(done.status, 200, await done.clone().text());
  const hers = await the.open(`leads/${idOf(1)}`, { as: bia });
  await hers.getByRole("group", { name: "Status" }).getByRole("button", { name: "qualified" }).click();
  await said(hers, "Status changed to qualified");
  const page = await the.open("history", { size: PHONE });
  await page.getByRole("button", { name: told("Undo: Set Status of 24 leads") }).click();
  await dialog(page)
    .getByText(/^23 leads get their former .?Status.? back\.$/)
    .waitFor();
  await dialog(page)
    .getByText(/^1 lead that .?Bia.? changed since .*stays as it is\.$/)
    .waitFor();
  await dialog(page).getByRole("link", { name: "Ana Almeida 1" }).waitFor();
  await checkPage(page, "before an undo, on a phone");
  await dialog(page).getByRole("button", { name: "Undo" }).click();
  await said(page, /^Undone, except 1 lead that .?Bia.? changed since/);
  assert.equal(await stored(the, "status", idOf(1)), "qualified");
  assert.equal(await stored(the, "status", idOf(2)), "qualified");
});

test("a custom field is set for many leads at once, emptied, and both are undone", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 12);
  const key = await writer(the);
  const field = { key: "plan", label: "Plan", type: "enum", options: ["Basic", "Pro"] };
  assert.equal((await key.send("POST", "/api/v1/fields", field)).status, 201);
  await change(key, idOf(1), { custom: { plan: "Basic" } });
  const page = await the.open("leads");
  await said(page, "12 leads");
  const bar = page.getByRole("region", { name: "Change selected leads" });
  const plans = async () =>
    (
      await the.sql<{ plan: string | null }>(
        "SELECT custom ->> 'plan' AS plan FROM store.lead WHERE project_id = $1 ORDER BY id",
        [the.project.id],
      )
    ).map(({ plan }) => plan);
  const rest = Array.from({ length: 10 }, () => null);
  const choose = async () => {
    for (const name of ["Ana Almeida 1", "Bruno Barros 2"])
      await page.getByRole("checkbox", { name: `Select: ${name}` }).click();
    await bar.getByRole("button", { name: "Edit a field" }).click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Field" }).fill("Pla");
    await page.getByRole("option", { name: "Plan", exact: true }).click();
  };
  await choose();
  await page.getByRole("dialog").getByRole("combobox", { name: "Plan" }).click();
  await page.getByRole("option", { name: "Pro" }).click();
  await said(page, "2 leads will change.");
  await checkPage(page, "a field of many leads");
  await page.getByRole("button", { name: "Change 2 leads" }).click();
  await said(page, "2 leads changed");
  assert.deepEqual(await plans(), ["Pro", "Pro", ...rest]);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await undone(page);
  assert.deepEqual(await plans(), ["Basic", null, ...rest]);
  await choose();
  await page.getByRole("dialog").getByText("Empty the field").click();
  await said(page, "1 lead will change.");
  await page.getByRole("button", { name: "Change 1 lead", exact: true }).click();
  await said(page, "1 lead changed");
  assert.deepEqual(await plans(), [null, null, ...rest]);
  const read = page.waitForResponse(/\/v1\/leads\/search/);
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await page.waitForFunction("document.body.innerText.split('Undone').length > 1");
  await read;
  for (let n = 0; n < 300 && (await plans())[0] !== "Basic"; n += 1) await sleep(100);
  assert.deepEqual(await plans(), ["Basic", null, ...rest]);
});

large("a value that a field does not take is refused with the reason before leads are changed", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 3);
  const page = await the.open("leads");
  await page.getByRole("checkbox", { name: "Select: Ana Almeida 1" }).click();
  const bar = page.getByRole("region", { name: "Change selected leads" });
  await bar.getByRole("button", { name: "Edit a field" }).click();
  const asked = page.getByRole("dialog");
  await asked.getByRole("combobox", { name: "Field" }).fill("E-mail");
  await page.getByRole("option", { name: "E-mail", exact: true }).click();
  await asked.getByRole("textbox", { name: "E-mail" }).fill("not an address");
  await asked.getByText("is not an e-mail address").waitFor();
  await checkPage(page, "a value that is refused");
  assert.ok(await asked.getByRole("button", { name: /^Change/ }).isDisabled());
});

test("a viewer sees History but no undo; an editor undoes own changes, an owner those of others", async () => {
  await using the = await panelWorld();
  const key = await writer(the);
  const id = await makeLead(key, { name: "Ana Souza", status: "new" });
  const editor = await member(the, "Edu", "editor");
  const viewer = await member(the, "Vera", "viewer");
  const page = await the.open(`leads/${id}`, { as: editor });
  await page.getByRole("group", { name: "Status" }).getByRole("button", { name: "won" }).click();
  await said(page, "Status changed to won");
  await page.goto(page.url().replace(/leads\/.*/, "history"));
  await line(page, told("Set Status of Ana Souza")).getByRole("button", { name: /^Undo/ }).waitFor();
  assert.equal(await line(page, "Created").getByRole("button").count(), 0);
  await line(page, "Created").getByRole("link").click();
  await said(page, "Only the person who made it, owners and admins can undo it.");
  await checkPage(page, "another's change");

  const seen = await the.open("history", { as: viewer, language: "pt-BR" });
  await line(seen, told("Alteração de")).waitFor();
  assert.equal(await seen.getByRole("button", { name: /^Desfazer/ }).count(), 0);
  await checkPage(seen, "a viewer");
  await line(seen, told("Alteração de")).getByRole("link").click();
  await said(seen, "Você precisa do papel de Editor para desfazer alterações.");

  const owner = await the.open("history");
  await owner.getByRole("button", { name: told("Undo: Set Status of Ana Souza") }).click();
  await dialog(owner).getByRole("button", { name: "Undo" }).click();
  await undone(owner);
  assert.equal(await stored(the, "status", id), "new");
});

test("what cannot be undone says so before it is done", async () => {
  await using the = await panelWorld();
  const key = await writer(the);
  const id = await makeLead(key, { name: "Ana Souza" });
  const page = await the.open(`leads/${id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Erase permanently" }).click();
  await page
    .getByRole("dialog")
    .getByText(/History cannot bring it back/)
    .waitFor();
  await page.getByRole("dialog").getByRole("textbox").fill("Ana Souza");
  await page.getByRole("dialog").getByRole("button", { name: "Erase permanently" }).click();
  await said(page, "Lead erased");
  await page.goto(page.url().replace(/leads.*/, "history"));
  await line(page, "Erased").getByRole("link").click();
  await said(page, "This cannot be undone: what it removed is gone for good.");
  assert.equal(await page.getByText("Ana Souza").count(), 0);
});

large(
  "a project without changes says what appears here; a failed load is reported with a way to try again",
  async () => {
    await using the = await panelWorld();
    const page = await the.open("history");
    await said(page, "No changes yet");
    await checkPage(page, "no changes");
    let refuse = true;
    await page.route("**/v1/changes*", async (route) => {
      const body = { error: { code: "too_slow", message: "Too slow.", details: [] }, request_id: "req_42" };
      return refuse ? await route.fulfill({ status: 404, json: body }) : await route.continue();
    });
    await page.reload();
    await said(page, "req_42");
    refuse = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await said(page, "No changes yet");
  },
);

test("a deleted field comes back with its values by the message's undo, and a changed list of statuses by History", async () => {
  await using the = await panelWorld();
  const key = await writer(the);
  const field = { key: "plan", label: "Plan", type: "text" };
  assert.equal((await key.send("POST", "/api/v1/fields", field)).status, 201);
  const id = await makeLead(key, { name: "Ana Souza", custom: { plan: "Pro" } });
  const page = await the.open("settings/fields");
  await page.getByRole("button", { name: "Delete: Plan" }).click();
  const asked = page.getByRole("dialog");
  await asked.getByLabel("I understand that these values will be deleted").check();
  await asked.getByRole("button", { name: "Delete field" }).click();
  await said(page, "Field deleted");
  assert.deepEqual(await stored(the, "custom", id), {});
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await undone(page);
  await page.getByRole("button", { name: "Delete: Plan" }).waitFor();
  assert.deepEqual(await stored(the, "custom", id), { plan: "Pro" });
  const { statuses } = (await (await key.send("GET", "/api/v1/statuses")).json()) as { statuses: string[] };
  const more = { statuses: [...statuses, "paused"] };
  assert.equal((await key.send("PUT", "/api/v1/statuses", more)).status, 200);
  await page.goto(page.url().replace(/settings.*/, "history"));
  await page.getByRole("link", { name: "Changed the statuses" }).click();
  await page.getByRole("region", { name: "What it changed" }).getByText("paused").waitFor();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await dialog(page).getByText("1 record gets its former values back.").waitFor();
  await dialog(page).getByRole("button", { name: "Undo" }).click();
  await said(page, "This is undone already.");
  const now = (await (await key.send("GET", "/api/v1/statuses")).json()) as { statuses: string[] };
  assert.deepEqual(now.statuses, statuses);
});

test("an import is undone from History, which names its file", async () => {
  await using the = await panelWorld();
  const page = await the.open("imports/new");
  await page.locator('input[type="file"]').setInputFiles({
    name: "fair.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("name,email\nAna,ana@example.org\nBruno,bruno@example.org\n"),
  });
  await page.getByRole("button", { name: "Continue to columns" }).click();
  await page.getByRole("button", { name: "Check file" }).click();
  await page.getByRole("button", { name: /^Import 2 rows/ }).click();
  await page.getByRole("button", { name: "Undo import" }).waitFor();
  await page.goto(page.url().replace(/imports.*/, "history"));
  await page.getByRole("button", { name: told("Undo: Imported fair.csv.?: 2 created") }).click();
  await dialog(page).getByText("2 leads are deleted.").waitFor();
  await dialog(page).getByRole("button", { name: "Undo" }).click();
  await undone(page);
  await line(page, told("Undid: Imported fair.csv.?: 2 created")).waitFor();
  assert.equal(
    (await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND deleted_at IS NULL", [the.project.id]))
      .length,
    0,
  );
});
