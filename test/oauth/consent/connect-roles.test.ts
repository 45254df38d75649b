import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { ROLES } from "../../../src/core/permission.ts";
import { read, send } from "../../accounts/support/visiting.ts";
import { type Browser, formOf } from "../../browser.ts";
import { type World, world } from "../../world.ts";
import { Application, exchange, refusalIn } from "../support/application.ts";

const settingsOf = (projectId: string) => `/projects/${projectId}/settings`;

/** Sets which roles may connect applications, with the form of the settings page. */
async function allow(
  browser: Browser,
  projectId: string,
  roles: readonly string[],
  more: [string, string][] = [],
) {
  const { hidden } = await formOf(await browser.get("/"));
  const fields = roles.map((role): [string, string] => ["role", role]);
  const token: [string, string] = ["form_token", hidden.form_token ?? ""];
  return await browser.post(`${settingsOf(projectId)}/connecting`, [token, ...fields, ...more]);
}

const stored = async (the: World) =>
  (
    await the.sql<{ connect_roles: string[] }>(
      "SELECT connect_roles FROM store.project WHERE project_id = $1",
      [the.project.id],
    )
  )[0]?.connect_roles;

/** Adds a member and returns their browser. */
async function member(the: World, name: string, role: (typeof ROLES)[number]) {
  const person = await the.newPerson(name);
  await the.join(person, the.project.id, role);
  return { ...person, browser: await the.signedIn(person) };
}

test("every role may connect applications until an owner or admin changes it", async () => {
  await using the = await world();
  const app = await Application.register(the);
  assert.deepEqual(await stored(the), [...ROLES]);
  for (const role of ROLES) {
    const { browser } = await member(the, role, role);
    assert.equal(await app.isActive((await app.tokens(browser)).access), true, role);
  }
});

test("a role that may not connect applications gets no code, not even with a hand-made form, and reads why", async () => {
  await using the = await world({ alone: true });
  const owner = await the.signedIn();
  const [editor, viewer] = [await member(the, "Edda", "editor"), await member(the, "Vera", "viewer")];
  assert.equal((await allow(owner, the.project.id, ["admin", "editor"])).status, 303);
  assert.deepEqual(await stored(the), ["owner", "admin", "editor"], "owners always may");
  const app = await Application.register(the);
  assert.equal(await app.isActive((await app.tokens(editor.browser)).access), true);
  assert.equal(await app.isActive((await app.tokens(owner)).access), true);

  const asked = await viewer.browser.get(app.address());
  assert.equal(asked.status, 200);
  const page = await asked.text();
  assert.ok(!page.includes(`value="${the.project.id}"`), "the project is not offered");
  assert.ok(!page.includes('value="approve"'));
  assert.match(
    await read(new Response(page)),
    /Your role may not connect applications to Harbour Sales ?\. Ask an owner or admin there/,
  );
  const answer = await app.decide(viewer.browser);
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get("location"), null);
  assert.match(await read(answer), /Your role in this project may not connect applications/);
  assert.equal(
    (await the.sql("SELECT FROM store.authorization_code WHERE person_id = $1", [viewer.id])).length,
    0,
  );

  const own = await the.newProject(viewer, "Own project");
  const both = await (await viewer.browser.get(app.address())).text();
  assert.ok(both.includes(`value="${own.id}"`) && !both.includes(`value="${the.project.id}"`));
  assert.match(await read(new Response(both)), /may not connect applications to Harbour Sales/);
  assert.equal(await app.isActive((await app.tokens(viewer.browser, { projectId: own.id })).access), true);
  const overview = await read(await viewer.browser.get(`${settingsOf(the.project.id)}/overview`));
  assert.match(overview, /Your role may not connect applications to this project/);
  await send(viewer.browser, "/account/profile", { name: "Vera", locale: "pt-BR" });
  const em = await read(await viewer.browser.get(app.address()));
  assert.match(em, /Seu papel não pode conectar aplicativos a Harbour Sales/);

  await the.join(viewer, the.project.id, "editor");
  assert.equal(await app.isActive((await app.tokens(viewer.browser)).access), true, "another role may");
});

test("a code is worthless once the role may no longer connect, even if its approval raced the change", async () => {
  await using the = await world({ alone: true });
  const owner = await the.signedIn();
  const editor = await member(the, "Edda", "editor");
  const app = await Application.register(the);
  const before = await app.code(editor.browser);
  const holder = new pg.Client(the.databaseUrl);
  await holder.connect();
  try {
    // The approval has checked the role and waits; the setting changes meanwhile.
    await holder.query("SELECT pg_advisory_lock(hashtextextended('approval ' || $1 || ' ' || $2, 0))", [
      editor.id,
      app.clientId,
    ]);
    const racing = app.code(editor.browser);
    for (let found = 0; found === 0; ) {
      // of this database alone: other tests wait for locks of theirs meanwhile
      found = (
        await the.sql(
          `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
           WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
        )
      ).length;
      if (found === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal((await allow(owner, the.project.id, ["admin"])).status, 303);
    await holder.query("SELECT pg_advisory_unlock_all()");
    for (const code of [before, await racing])
      assert.match(await refusalIn(await exchange(the, code)), /^400 invalid_grant/);
  } finally {
    await holder.end();
  }
  assert.equal((await the.sql("SELECT FROM store.authorization")).length, 0);
});

test("what a role connected before keeps working until it is revoked, with the setting or on the page", async () => {
  await using the = await world({ alone: true });
  const { id } = the.project;
  const owner = await the.signedIn();
  const [editor, viewer] = [await member(the, "Edda", "editor"), await member(the, "Vera", "viewer")];
  const app = await Application.register(the);
  const mine = await app.tokens(owner);
  const [ofEditor, ofViewer] = [await app.tokens(editor.browser), await app.tokens(viewer.browser)];
  await allow(owner, id, ["admin", "editor"]);
  assert.equal(await app.isActive(ofViewer.access), true);
  const renewed = await app.refresh(ofViewer.refresh);
  assert.equal(renewed.status, 200, "it refreshes too");
  const page = await read(await owner.get(`${settingsOf(id)}/applications`));
  assert.match(page, /These roles may connect applications: Owner, Admin, Editor\./);
  assert.match(page, /1 connection belongs to a member whose role may no longer connect applications/);
  await send(owner, `${settingsOf(id)}/applications/revoke`, { which: "others" });
  assert.equal(await app.isActive(ofViewer.access), false);
  assert.equal(await app.isActive(ofEditor.access), true);

  await allow(owner, id, [], [["revoke", "others"]]);
  assert.deepEqual(await stored(the), ["owner"]);
  assert.equal(await app.isActive(ofEditor.access), false);
  assert.equal(await app.isActive(mine.access), true, "owners keep theirs");
});

test("only owners and admins set who may connect applications, to roles that exist, and the log records it", async () => {
  await using the = await world({ alone: true });
  const { id } = the.project;
  for (const role of ["editor", "viewer"] as const) {
    const { browser } = await member(the, role, role);
    assert.equal((await allow(browser, id, ["viewer"])).status, 403);
    const seen = await read(await browser.get(settingsOf(id)));
    assert.match(seen, /May connect applications Owner, Admin, Editor, Viewer/);
  }
  const stranger = await the.signedIn(await the.newPerson("Stan"));
  assert.equal((await allow(stranger, id, ["viewer"])).status, 404);
  const admin = await member(the, "Adela", "admin");
  const wrong = await allow(admin.browser, id, ["admin", "boss"]);
  assert.equal(wrong.status, 400);
  assert.match(await read(wrong), /Choose one of the roles in the list/);
  assert.deepEqual(await stored(the), [...ROLES]);
  for (let press = 0; press < 2; press += 1) {
    const saved = await allow(admin.browser, id, ["viewer", "admin", "viewer"]);
    assert.equal(saved.headers.get("location"), `${settingsOf(id)}?done=changed`);
  }
  assert.deepEqual(await stored(the), ["owner", "admin", "viewer"]);
  const form = await (await admin.browser.get(settingsOf(id))).text();
  assert.match(form, /value="viewer" checked>/);
  assert.match(form, /value="editor">/);
  assert.match(form, /value="owner" checked disabled>/);
  const entries = await the.sql<{ actor: string; data: object }>(
    "SELECT actor, data FROM audit WHERE action = 'project.changed' AND project_id = $1",
    [id],
  );
  const changed = { from: [...ROLES], to: ["owner", "admin", "viewer"] };
  assert.deepEqual(entries, [{ actor: admin.id, data: { connect_roles: changed } }]);
  const log = await read(await (await the.signedIn()).get(`${settingsOf(id)}/log`));
  assert.match(log, /May connect applications: owner, admin, editor, viewer → owner, admin, viewer/);
  const region = { name: "Porto", timezone: "UTC", country: "", currency: "" };
  assert.equal((await send(admin.browser, settingsOf(id), region)).status, 303);
  assert.deepEqual(await stored(the), ["owner", "admin", "viewer"], "other settings leave it unchanged");
});
