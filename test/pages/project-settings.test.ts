import assert from "node:assert/strict";
import { test } from "node:test";
import { read, send } from "../accounts/support/visiting.ts";
import type { Browser } from "../browser.ts";
import { type World, world } from "../world.ts";

const BRAZIL = { name: "Harbour Sales", timezone: "America/Sao_Paulo", country: "BR", currency: "BRL" };

const settingsOf = (projectId: string) => `/projects/${projectId}/settings`;

const change = (browser: Browser, projectId: string, fields: Record<string, string>) =>
  send(browser, settingsOf(projectId), fields);

/** Returns what the panel receives about the person's first project. */
async function told(browser: Browser) {
  const me = (await (await browser.get("/panel/api/me")).json()) as { projects: [typeof BRAZIL] };
  return me.projects[0];
}

const placeOf = async (the: World, projectId: string) => {
  const [row] = await the.sql<Record<string, string | null>>(
    "SELECT timezone, default_country, currency FROM store.project WHERE project_id = $1",
    [projectId],
  );
  return Object.values(row ?? {});
};

test("an owner sets name, time zone, country and currency; keys and the panel know them at their next call", async () => {
  await using the = await world();
  const { id } = the.project;
  const [browser, key] = [await the.signedIn(), await the.key(["leads:read", "leads:write"])];
  const phone = "(11) 98765-4321";
  const create = async () =>
    (await (await key.send("POST", "/api/v1/leads", { phone })).json()) as { id: string; phone_e164: string };
  const before = await create();
  assert.equal(before.phone_e164, null);
  const saved = await change(browser, id, { ...BRAZIL, name: "  Porto  ", timezone: "america/sao_paulo" });
  assert.equal(saved.headers.get("location"), `${settingsOf(id)}?done=changed`);
  assert.equal((await create()).phone_e164, "+5511987654321");
  const kept = await (await key.send("GET", `/api/v1/leads/${before.id}`)).json();
  assert.equal((kept as { phone_e164: null }).phone_e164, null, "nothing stored is rewritten");
  const page = await (await browser.get(`${settingsOf(id)}?done=changed`)).text();
  assert.match(page, /role="status">Saved/);
  assert.match(page, /<input name="name" value="Porto"/);
  assert.match(page, /<input name="timezone" value="America\/Sao_Paulo"/);
  assert.match(page, /<option value="BR" selected>Brazil/);
  assert.match(page, /<option value="BRL" selected>BRL/);
  const { name, timezone, country, currency } = await told(browser);
  assert.deepEqual({ name, timezone, country, currency }, { ...BRAZIL, name: "Porto" });
});

test("a zone's days count from the next query on", async () => {
  await using the = await world({ alone: true });
  const [browser, key] = [await the.signedIn(), await the.key(["leads:read", "leads:write"])];
  await key.send("POST", "/api/v1/leads", { name: "Late" });
  await the.sql("UPDATE store.lead SET created_at = '2026-03-10T01:30:00Z'");
  const filter = { field: "created_at", op: "eq", value: "2026-03-09" };
  const found = async () =>
    ((await (await key.query({ filter })).json()) as { leads: object[] }).leads.length;
  assert.deepEqual([await found(), await found()], [0, 0]);
  await change(browser, the.project.id, BRAZIL);
  assert.equal(await found(), 1, "half past ten in the evening of São Paulo");
});

test("errors are shown at their fields, all at once, with what was typed; nothing changes", async () => {
  await using the = await world();
  const { id } = the.project;
  const browser = await the.signedIn();
  const wrong = { name: " ", timezone: "America/<b>", country: "XX", currency: "QQQ" };
  const answer = await change(browser, id, wrong);
  assert.equal(answer.status, 400);
  const page = await answer.text();
  for (const field of Object.keys(wrong)) {
    assert.match(
      page,
      new RegExp(`name="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-wrong"`),
    );
    assert.match(page, new RegExp(`<p class="error" role="alert" id="${field}-wrong">`));
  }
  assert.match(page, /value="America\/&#60;b&#62;"/);
  assert.match(page, /<strong><bdi>Harbour Sales</, "deletion asks for the name as it is");
  for (const timezone of ["", "+03:00", "UTC+3", "posix/Europe/Lisbon", "Mars/Base", "localtime"]) {
    assert.equal((await change(browser, id, { ...BRAZIL, timezone })).status, 400, timezone);
  }
  assert.equal((await change(browser, id, { ...BRAZIL, name: "x".repeat(201) })).status, 400);
  assert.deepEqual(await placeOf(the, id), ["UTC", null, null]);
  const portuguese = await send(browser, "/account/profile", { name: "Ada", locale: "pt-BR" });
  assert.equal(portuguese.status, 303);
  const em = await read(await change(browser, id, wrong));
  for (const told of [/Escolha um fuso horário da lista/, /Escolha um país/, /Escolha uma moeda/])
    assert.match(em, told);
  assert.match(await (await browser.get(settingsOf(id))).text(), /<option value="DE">Alemanha</);
});

test("country and currency are cleared by their empty choice", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  await change(browser, the.project.id, BRAZIL);
  await change(browser, the.project.id, { ...BRAZIL, country: "", currency: "" });
  assert.deepEqual(await placeOf(the, the.project.id), ["America/Sao_Paulo", null, null]);
});

test("owners and admins change a project's settings; editors and viewers see them, non-members see no project", async () => {
  await using the = await world();
  const { id } = the.project;
  await change(await the.signedIn(), id, BRAZIL);
  for (const role of ["editor", "viewer"] as const) {
    const person = await the.newPerson(role);
    await the.join(person, id, role);
    const browser = await the.signedIn(person);
    const seen = await browser.get(settingsOf(id));
    assert.equal(seen.status, 200);
    const page = await seen.text();
    for (const value of ["America/Sao_Paulo", "Brazil", "BRL"]) assert.ok(page.includes(value), value);
    assert.ok(!page.includes(`action="${settingsOf(id)}`), "no form");
    assert.equal((await change(browser, id, { ...BRAZIL, name: "Mine" })).status, 403);
  }
  const [admin, stranger] = [await the.newPerson("Adm"), await the.newPerson("Stan")];
  await the.join(admin, id, "admin");
  assert.equal((await change(await the.signedIn(admin), id, { ...BRAZIL, name: "Ours" })).status, 303);
  assert.equal((await change(await the.signedIn(stranger), id, BRAZIL)).status, 404);
  assert.equal((await the.browser().post(settingsOf(id), BRAZIL)).status, 303, "to sign in");
  const owner = await the.signedIn();
  const forged = await Promise.all([
    owner.post(settingsOf(id), { ...BRAZIL, name: "Forged" }),
    send(owner, settingsOf(id), { ...BRAZIL, name: "Forged", form_token: "0" }),
  ]);
  assert.deepEqual(
    forged.map(({ status }) => status),
    [403, 403],
  );
  assert.match(await read(await owner.get(settingsOf(id))), /Ours/);
});

test("the log records who changed which setting from what to what, and nothing if nothing changed", async () => {
  await using the = await world();
  const { id } = the.project;
  const browser = await the.signedIn();
  await change(browser, id, { ...BRAZIL, name: "Porto" });
  await change(browser, id, { ...BRAZIL, name: "Porto" });
  const entries = await the.sql<{ actor: string; data: object }>(
    "SELECT actor, data FROM audit WHERE action = 'project.changed' AND project_id = $1",
    [id],
  );
  assert.deepEqual(entries, [
    {
      actor: the.person.id,
      data: {
        name: { from: "Harbour Sales", to: "Porto" },
        timezone: { from: "UTC", to: "America/Sao_Paulo" },
        country: { from: null, to: "BR" },
        currency: { from: null, to: "BRL" },
      },
    },
  ]);
  const log = await read(await browser.get(`${settingsOf(id)}/log`));
  assert.match(log, /Project settings changed/);
  assert.match(log, /Time zone: UTC → America\/Sao_Paulo/);
  assert.match(log, /Country: – → BR/);
});

test("a new project takes its region from the browser's language, if that has one", async () => {
  await using the = await world();
  for (const [accepted, place] of [
    ["pt-BR,pt;q=0.9,en;q=0.8", ["America/Sao_Paulo", "BR", "BRL"]],
    ["en-GB,en", ["Europe/London", "GB", null]],
    ["de-DE,de;q=0.9", ["UTC", "DE", null]],
    ["en-US,en;q=0.9,pt-BR;q=0.8", ["UTC", null, null]],
    ["fr", ["UTC", null, null]],
    ["xx-QQ", ["UTC", null, null]],
  ] as const) {
    const browser = await the.signedIn();
    const form_token = /name="form_token" value="([^"]+)"/.exec(await (await browser.get("/")).text())?.[1];
    const fields = { form_token: form_token ?? "", name: `At ${accepted}` };
    const made = await browser.post("/projects", fields, { "Accept-Language": accepted });
    const id = made.headers.get("location")?.split("/").at(-1) ?? "";
    assert.deepEqual(await placeOf(the, id), place, accepted);
  }
});
