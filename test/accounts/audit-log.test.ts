import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../datasets/support/dataset.ts";
import { IMPORTER } from "../datasets/support/importing.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { Application, exchange } from "../oauth/support/application.ts";
import { world } from "../world.ts";
import { entriesOf } from "./support/log-entries.ts";

test("a person reads what applications did in their name: who, from where, in which request", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const app = await Application.register(the, { client_name: "Deal <b>finder</b>" });
  const granted = await app.code(browser);
  const exchanged = await exchange(the, granted);
  await exchange(the, granted);
  const { refresh_token: first } = (await exchanged.clone().json()) as { refresh_token: string };
  await app.refresh(first);
  await app.refresh(first);
  await app.decide(browser, { decision: "deny" });

  const log = await entriesOf(browser, "/account/log");
  const actions = log.map(({ action }) => action);
  for (const action of [
    "authorization.approved",
    "code.exchanged",
    "code.reused",
    "refresh.replayed",
    "authorization.refused",
  ]) {
    assert.ok(actions.includes(action), `${action} is in ${actions}`);
  }
  const taken = log.find(({ action }) => action === "code.exchanged");
  assert.equal(taken?.actor, app.clientId);
  assert.equal(taken?.actor_name, "Deal <b>finder</b>");
  assert.equal(taken?.person_id, the.person.id);
  assert.equal(taken?.project_id, the.project.id);
  assert.match(taken?.address ?? "", /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
  assert.equal(taken?.request_id, exchanged.headers.get("x-request-id"));
  assert.match(taken?.at ?? "", /\+00:00$/);

  const page = await (await browser.get("/account/log")).text();
  assert.ok(!page.includes("<b>finder"));
  assert.match(page, /Gave an application access/);
  const portuguese = await (await browser.get("/account/log", { "Accept-Language": "pt-BR" })).text();
  assert.match(portuguese, /Registro de auditoria/);
});

test("owners read their project's log; other roles cannot, and non-members do not learn that it exists", async () => {
  await using the = await world();
  const path = `/projects/${the.project.id}/settings/log`;
  const owner = await the.signedIn();
  await owner.post(`/projects/${the.project.id}/settings/api-keys`, {});
  const app = await Application.register(the);
  const member = await the.newPerson("Bo");
  await the.join(member, the.project.id, "admin");
  const admin = await the.signedIn(member);
  await app.tokens(admin);
  const log = await entriesOf(owner, path);
  assert.ok(log.some(({ action, person_id }) => action === "code.exchanged" && person_id === member.id));
  assert.ok(log.every(({ project_id }) => project_id === the.project.id));
  for (const suffix of ["", ".csv", ".ndjson"]) {
    assert.equal((await admin.get(path + suffix)).status, 403);
    assert.equal((await (await the.signedIn(await the.newPerson())).get(path + suffix)).status, 404);
    assert.equal((await the.browser().get(path + suffix)).status, 303);
  }
});

test("the log is read page by page to its end, and exported in full without formulas that run", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  await the.sql(
    `INSERT INTO audit (action, person_id, actor, data)
     SELECT 'test.made', $1, '=cmd|' || n, jsonb_build_object('n', n) FROM generate_series(1, 2345) n`,
    [the.person.id],
  );
  const seen = new Set<string>();
  let next: string | undefined = "/account/log";
  while (next !== undefined) {
    const page: string = await (await browser.get(next)).text();
    for (const [, n = ""] of page.matchAll(/n: <bdi>(\d+)<\/bdi>/g)) seen.add(n);
    next = /href="([^"]+)" rel="next"/.exec(page)?.[1];
  }
  assert.equal(seen.size, 2_345);
  const csv = await (await browser.get("/account/log.csv")).text();
  assert.equal(csv.split("\r\n").filter((line) => line.includes("test.made")).length, 2_345);
  assert.ok(!/(^|,)=cmd/m.test(csv));
  assert.equal((await browser.get("/account/log?before=abc")).status, 400);
});

test("the log tells imports of leads from imports of rows, and names those that were undone", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", ...IMPORTER]);
  const things = await make(key, { key: "things", columns: [{ key: "name", type: "text" }] });
  const leads = await uploaded(the, key, "name\nAna\n");
  await acted(key, leads.id, "dry-run");
  await acted(key, leads.id, "commit");
  await acted(key, leads.id, "undo");
  const rows = await uploaded(the, key, "name\nThing\n", { query: "?dataset=things" });
  await acted(key, rows.id, "commit");
  const log = await entriesOf(await the.signedIn(), `/projects/${the.project.id}/settings/log`);
  assert.deepEqual(
    log
      .filter(({ data }) => data.import_id !== undefined)
      .map(({ action, actor, data }) => [action, actor, data])
      .reverse(),
    [
      ["leads.imported", key.id, { import_id: leads.id }],
      ["import.undone", key.id, { import_id: leads.id }],
      ["rows.imported", key.id, { import_id: rows.id, dataset_id: things.id }],
    ],
  );
});

test("creating and revoking a key is audited, once each", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const address = `/projects/${the.project.id}/settings/api-keys`;
  const token =
    /name="form_token" value="([^"]+)"/.exec(await (await browser.get(address)).text())?.[1] ?? "";
  await browser.post(address, { form_token: token, name: "CRM", permission: "leads:read" });
  const [key] = await the.sql<{ id: string }>("SELECT id FROM store.api_key");
  for (let time = 0; time < 2; time += 1) {
    await browser.post(`${address}/${key?.id}/revoke`, { form_token: token });
  }
  const log = await entriesOf(browser, `/projects/${the.project.id}/settings/log`);
  assert.equal(log.filter(({ action }) => action === "key.created").length, 1);
  assert.equal(
    log.filter(({ action, data }) => action === "key.revoked" && data.key_id === key?.id).length,
    1,
  );
});
