import assert from "node:assert/strict";
import { test } from "node:test";
import { read, send } from "../accounts/support/visiting.ts";
import { type Browser, formOf } from "../browser.ts";
import { Application, exchange, tokensOf } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";

const pageOf = (projectId: string) => `/projects/${projectId}/settings/applications`;

const revoke = (browser: Browser, projectId: string, fields: Record<string, string>) =>
  send(browser, `${pageOf(projectId)}/revoke`, fields);

/** Returns the status of a call with an access token. */
const called = async (the: World, access: string) =>
  (await fetch(`${the.authUrl}/mcp`, { headers: { Authorization: `Bearer ${access}` } })).status;

/** Returns the entries of the page's list, as text. */
async function listed(browser: Browser, path: string): Promise<string[]> {
  const page = await (await browser.get(path)).text();
  const list = /<ol class="list">([\s\S]*?)<\/ol>/.exec(page)?.[1] ?? "";
  return await Promise.all(
    [...list.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, entry = ""]) => read(new Response(entry))),
  );
}

/** Adds a member and returns their browser. */
async function member(the: World, name: string, role: "owner" | "admin" | "editor" | "viewer") {
  const person = await the.newPerson(name);
  await the.join(person, the.project.id, role);
  return { ...person, browser: await the.signedIn(person) };
}

const newest = async (the: World) =>
  (
    await the.sql<{ id: string }>(
      "SELECT id FROM store.authorization WHERE project_id = $1 ORDER BY created_at DESC LIMIT 1",
      [the.project.id],
    )
  )[0]?.id ?? "";

test("owners and admins see what each member connected: application, member, scopes, since when and last use, newest use first", async () => {
  await using the = await world({ alone: true });
  const [admin, viewer] = [await member(the, "Adela", "admin"), await member(the, "Vera", "viewer")];
  const owner = await the.signedIn();
  const empty = await read(await owner.get(pageOf(the.project.id)));
  assert.match(empty, /No applications are connected to this project/);
  const mail = await Application.register(the, { client_name: "Mail & Deals" });
  const desk = await Application.register(the, {
    client_name: "Desk",
    redirect_uris: ["https://desk.example/cb"],
  });
  await mail.tokens(viewer.browser);
  await the.sql("UPDATE membership SET created_at = '2026-01-01'");
  await the.sql(
    "UPDATE store.authorization SET last_used_at = '2026-02-03T12:00:00Z', created_at = '2026-01-02'",
  );
  await desk.tokens(owner);
  for (const browser of [owner, admin.browser]) {
    const [first = "", second = "", ...rest] = await listed(browser, pageOf(the.project.id));
    assert.deepEqual(rest, []);
    assert.match(first, /Desk returns to desk\.example Ada Moreira · person-\d+@example\.org · Owner/);
    assert.match(first, /Can read, create, edit and delete\. Since .*, not used yet/);
    assert.match(second, /Mail & Deals returns to app\.example Vera · person-\d+@example\.org · Viewer/);
    assert.match(second, /Can read\. Since Jan 2, 2026, last used Feb 3, 2026/);
  }
  await the.sql("UPDATE store.authorization SET last_used_at = moment() WHERE client_id = $1", [
    mail.clientId,
  ]);
  assert.match((await listed(owner, pageOf(the.project.id)))[0] ?? "", /Mail & Deals/);
  const portuguese = await send(owner, "/account/profile", { name: "Ada", locale: "pt-BR" });
  assert.equal(portuguese.status, 303);
  const em = await read(await owner.get(pageOf(the.project.id)));
  assert.match(em, /Aplicativos .*volta a desk\.example .*Proprietário .*ainda não usado/);
});

test("only owners and admins see and revoke a project's connections, and their navigation leads there", async () => {
  await using the = await world();
  const { id } = the.project;
  const tokens = await (await Application.register(the)).tokens(await the.signedIn());
  const connection = { which: "connection", id: await newest(the) };
  const stranger = await the.signedIn(await the.newPerson("Stan"));
  const link = `href="${pageOf(id)}"`;
  for (const role of ["editor", "viewer"] as const) {
    const { browser } = await member(the, role, role);
    assert.equal((await browser.get(pageOf(id))).status, 403);
    assert.ok(!(await (await browser.get(`/projects/${id}/settings`)).text()).includes(link));
    for (const fields of [connection, { which: "all" }])
      assert.equal((await revoke(browser, id, fields)).status, 403);
  }
  assert.equal((await stranger.get(pageOf(id))).status, 404);
  for (const fields of [connection, { which: "all" }])
    assert.equal((await revoke(stranger, id, fields)).status, 404);
  assert.equal((await the.browser().get(pageOf(id))).status, 303, "to sign in");
  const admin = await member(the, "Adela", "admin");
  const forged = { ...connection, form_token: "0" };
  assert.equal((await revoke(admin.browser, id, forged)).status, 403);
  assert.equal(await called(the, tokens.access), 200, "nobody of them revoked it");
  assert.ok((await (await admin.browser.get(`/projects/${id}/settings`)).text()).includes(link));
  assert.equal((await revoke(admin.browser, id, connection)).status, 303);
  assert.equal(await called(the, tokens.access), 401, "an admin revokes an owner's connection");
});

test("another project's connections are never shown and never revoked", async () => {
  await using the = await world({ alone: true });
  const other = await the.newPerson("Otto");
  const theirs = await the.newProject(other, "Theirs");
  const app = await Application.register(the, { client_name: "Shared application" });
  const [mine, own] = [await the.signedIn(), await the.signedIn(other)];
  // a member of both projects: neither the application nor the person makes a connection visible
  await the.join(the.person, theirs.id, "viewer");
  const foreign = [
    await app.tokens(own, { projectId: theirs.id }),
    await app.tokens(mine, { projectId: theirs.id, scopes: ["mcp:read"] }),
  ];
  const rows = await the.sql<{ id: string }>("SELECT id FROM store.authorization");
  assert.deepEqual(await listed(mine, pageOf(the.project.id)), []);
  const tries = [
    ...rows.map(({ id }) => ({ which: "connection", id })),
    { which: "application", id: app.clientId },
    { which: "member", id: the.person.id },
    { which: "member", id: other.id },
    { which: "others" },
    { which: "all" },
  ];
  for (const fields of tries) {
    const answer = await revoke(mine, the.project.id, fields);
    assert.equal(
      answer.headers.get("location"),
      `${pageOf(the.project.id)}?revoked=0`,
      JSON.stringify(fields),
    );
  }
  for (const { access, refresh } of foreign) {
    assert.equal(await called(the, access), 200);
    assert.equal(await app.isActive(refresh), true);
  }
  assert.equal((await listed(own, pageOf(theirs.id))).length, 2);
});

test("a revoked connection fails from the next request on, and the logs say who revoked whose", async () => {
  await using the = await world({ alone: true });
  const { id } = the.project;
  const editor = await member(the, "Edda", "editor");
  const admin = await member(the, "Adela", "admin");
  const app = await Application.register(the, { client_name: "Mail & Deals" });
  const kept = await app.tokens(admin.browser);
  const ended = await app.tokens(editor.browser);
  const pending = await app.code(editor.browser);
  const connection = { which: "connection", id: await newest(the) };
  const answer = await revoke(admin.browser, id, connection);
  assert.equal(answer.headers.get("location"), `${pageOf(id)}?revoked=1`);
  assert.match(await read(await admin.browser.get(`${pageOf(id)}?revoked=1`)), /1 connection revoked/);
  assert.equal(await called(the, ended.access), 401);
  assert.equal(await app.isActive(ended.refresh), false);
  assert.equal((await app.refresh(ended.refresh)).status, 400);
  assert.equal((await exchange(the, pending)).status, 400, "a code under way to the same ends too");
  assert.equal(await called(the, kept.access), 200, "the admin's own stays");
  assert.equal((await listed(admin.browser, pageOf(id))).length, 1);
  assert.match(
    await read(await editor.browser.get("/connected-apps")),
    /You have not connected any applications/,
  );
  const again = await revoke(admin.browser, id, connection);
  assert.equal(again.headers.get("location"), `${pageOf(id)}?revoked=0`, "a second press revokes nothing");
  assert.match(await read(await admin.browser.get(`${pageOf(id)}?revoked=0`)), /Nothing was left to revoke/);
  const owner = await the.signedIn();
  for (const log of [
    await read(await owner.get(`/projects/${id}/settings/log`)),
    await read(await editor.browser.get("/account/log")),
  ]) {
    assert.match(log, /Access of an application was revoked Adela · concerns Edda/);
    assert.match(log, /Revoked: by an owner or admin of the project .*Application: Mail & Deals/);
  }
  const entries = await the.sql("SELECT FROM audit WHERE action = 'authorization.revoked'");
  assert.equal(entries.length, 1);
  const back = await app.tokens(editor.browser);
  assert.equal(await called(the, back.access), 200, "the member may connect it again");
});

test("all connections of an application, of a member or of the project end at once, codes under way too", async () => {
  await using the = await world();
  const { id } = the.project;
  const owner = await the.signedIn();
  const editor = await member(the, "Edda", "editor");
  const [mail, desk] = [await Application.register(the), await Application.register(the)];
  const connect = async () => ({
    mailOfOwner: await mail.tokens(owner),
    mailOfEditor: await mail.tokens(editor.browser),
    deskOfOwner: await desk.tokens(owner),
    deskOfEditor: await desk.tokens(editor.browser),
    codeOfMail: await mail.code(owner),
    codeOfEditor: await desk.code(editor.browser),
  });
  /** Connects everything, revokes, and returns what still works. */
  const left = async (fields: Record<string, string>) => {
    const { codeOfMail, codeOfEditor, ...tokens } = await connect();
    assert.equal((await revoke(owner, id, fields)).status, 303);
    const works = await Promise.all([
      ...Object.entries(tokens).map(async ([name, { access }]) => [name, await called(the, access)] as const),
      exchange(the, codeOfMail).then(({ status }) => ["codeOfMail", status] as const),
      exchange(the, codeOfEditor).then(({ status }) => ["codeOfEditor", status] as const),
    ]);
    return works.flatMap(([name, status]) => (status === 200 ? [name] : []));
  };
  const ofMail = { which: "application", id: mail.clientId };
  assert.deepEqual(await left(ofMail), ["deskOfOwner", "deskOfEditor", "codeOfEditor"]);
  const ofEditor = { which: "member", id: editor.id };
  assert.deepEqual(await left(ofEditor), ["mailOfOwner", "deskOfOwner", "codeOfMail"]);
  assert.deepEqual(await left({ which: "all" }), []);
  assert.deepEqual(await listed(owner, pageOf(id)), []);
});

test("a form that does not say what to revoke is refused and revokes nothing", async () => {
  await using the = await world();
  const owner = await the.signedIn();
  const tokens = await (await Application.register(the)).tokens(owner);
  for (const fields of [
    {},
    { which: "" },
    { which: "everything" },
    { which: "connection" },
    { which: "application", id: "" },
    { which: "member" },
  ] as Record<string, string>[]) {
    assert.equal((await revoke(owner, the.project.id, fields)).status, 400, JSON.stringify(fields));
  }
  assert.equal(await called(the, tokens.access), 200);
});

test("of a revocation, an exchange and a refresh at the same time, nothing is left that works", async () => {
  await using the = await world();
  const owner = await the.signedIn();
  const app = await Application.register(the);
  const { hidden } = await formOf(await owner.get("/"));
  const all = { form_token: hidden.form_token ?? "", which: "all" };
  for (let round = 0; round < 12; round += 1) {
    const before = await app.tokens(owner);
    const code = await app.code(owner);
    const [exchanged, refreshed, revoked] = await Promise.all([
      exchange(the, code),
      app.refresh(before.refresh),
      owner.post(`${pageOf(the.project.id)}/revoke`, all),
    ]);
    assert.equal(revoked.status, 303);
    assert.equal(await called(the, before.access), 401);
    for (const answer of [exchanged, refreshed]) {
      if (answer.status === 200) {
        const { access, refresh } = await tokensOf(answer);
        assert.equal(await called(the, access), 401);
        assert.equal(await app.isActive(refresh), false);
      } else assert.equal(answer.status, 400);
    }
    assert.equal((await exchange(the, code)).status, 400);
  }
});

test("hundreds of connections come in pages, each of them once, and end together", async () => {
  await using the = await world({ alone: true });
  const owner = await the.signedIn();
  const app = await Application.register(the);
  const tokens = await app.tokens(owner);
  await the.sql(
    `INSERT INTO store.authorization
       (project_id, id, client_id, client_name, person_id, scopes, refresh_hash, refresh_expires_at, last_used_at)
     SELECT project_id, 'az_' || lpad(n::text, 26, '0'), client_id, 'Application ' || n, person_id, scopes, refresh_hash,
       refresh_expires_at, CASE WHEN n % 3 > 0 THEN moment() - make_interval(hours => n / 20) END
     FROM store.authorization, generate_series(1, 130) AS n`,
  );
  const seen: string[] = [];
  let path: string | undefined = pageOf(the.project.id);
  for (let pages = 0; path !== undefined; pages += 1) {
    assert.ok(pages < 3, "131 connections are three pages");
    const entries = await listed(owner, path);
    assert.ok(entries.length <= 50);
    seen.push(...entries.map((entry) => /^ *(.*?) returns to/.exec(entry)?.[1] ?? entry));
    const page = await (await owner.get(path)).text();
    path = /<a href="([^"]+)" rel="next">/.exec(page)?.[1];
  }
  assert.equal(seen.length, 131);
  assert.equal(new Set(seen).size, 131);
  assert.equal((await owner.get(`${pageOf(the.project.id)}?before=nonsense`)).status, 400);
  const all = await revoke(owner, the.project.id, { which: "all" });
  assert.equal(all.headers.get("location"), `${pageOf(the.project.id)}?revoked=131`);
  assert.equal(await called(the, tokens.access), 401);
  const entries = await the.sql("SELECT FROM audit WHERE action = 'authorization.revoked'");
  assert.equal(entries.length, 131, "each is in the log");
});

test("a project or an id with a NUL is not found, on every page of a project", async () => {
  await using the = await world();
  const owner = await the.signedIn();
  const settings = (id: string) => `/projects/${id}/settings`;
  for (const page of ["", "/applications", "/members", "/api-keys", "/log"])
    assert.equal((await owner.get(`${settings("%00")}${page}`)).status, 404, page);
  for (const form of ["", "/connecting", "/applications/revoke", "/members/invite"])
    assert.equal((await send(owner, `${settings("%00")}${form}`, { which: "all" })).status, 404, form);
  const members = `${settings(the.project.id)}/members`;
  assert.equal((await send(owner, `${members}/%00/remove`)).status, 404);
});

test("names of applications and people are shown as text, whatever they contain", async () => {
  await using the = await world();
  const hostile = `</bdi><script>alert(1)</script>"'><img src=x onerror=alert(1)>\u202e`;
  const person = await the.newPerson(hostile);
  await the.join(person, the.project.id, "editor");
  const app = await Application.register(the, { client_name: hostile.slice(0, 60) });
  await app.tokens(await the.signedIn(person));
  await the.sql("UPDATE store.authorization SET client_name = $1", [hostile]);
  const second = await Application.register(the);
  await second.tokens(await the.signedIn(person));
  const page = await (await (await the.signedIn()).get(pageOf(the.project.id))).text();
  assert.ok(!page.includes("<script>alert") && !page.includes("<img src=x"));
  const escaped = hostile.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  assert.ok(page.includes(`<strong id="`) && page.includes(`<bdi>${escaped}</bdi></strong>`));
  assert.match(page, /Revoke all 2 connections of this member/);
});
