import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "../browser.ts";
import { QUIET, roundTrips, settled } from "../round-trips/count.ts";
import { type World, world } from "../world.ts";

const at = (projectId: string, path: string) => `/panel/api/${projectId}${path}`;

/** Sends a call as the panel does, with a browser's session; `headers` override its own. */
async function call(
  browser: Browser,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<{ status: number; code: string | undefined; body: Record<string, unknown> }> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(browser.origin + path, {
    method,
    headers: {
      Cookie: cookie,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const read = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { status: answer.status, code: (read.error as { code?: string } | undefined)?.code, body: read };
}

const tokenOf = async (browser: Browser): Promise<string> =>
  String((await call(browser, "GET", "/panel/api/me")).body.token);

const statuses = ["new", "won"];

/** Sends a write that succeeds unless the headers are wrong. */
async function write(the: World, browser: Browser, headers: Record<string, string>) {
  return await call(browser, "PUT", at(the.project.id, "/v1/statuses"), { body: { statuses }, headers });
}

test("a forged write changes nothing: without the token, with another session's, from another origin", async () => {
  await using the = await world();
  const [browser, second] = [await the.signedIn(), await the.signedIn()];
  const [token, others] = [await tokenOf(browser), await tokenOf(second)];
  const before = await the.sql("SELECT statuses FROM store.project WHERE project_id = $1", [the.project.id]);
  for (const headers of [
    {},
    { "X-Form-Token": "" },
    { "X-Form-Token": others },
    { "X-Form-Token": token, Origin: "https://evil.example" },
    { "X-Form-Token": token, Origin: "null" },
    { "X-Form-Token": token, "Sec-Fetch-Site": "cross-site" },
    { "X-Form-Token": token, "Sec-Fetch-Site": "same-site" },
  ]) {
    const { status, code } = await write(the, browser, headers as Record<string, string>);
    assert.deepEqual([status, code], [403, "stale_form"], JSON.stringify(headers));
  }
  assert.deepEqual(
    await the.sql("SELECT statuses FROM store.project WHERE project_id = $1", [the.project.id]),
    before,
  );
  assert.equal((await write(the, browser, { "X-Form-Token": token, Origin: the.authUrl })).status, 200);
});

test("the role at the time of the call applies, and another person's project looks nonexistent", async () => {
  await using the = await world();
  const editor = await the.newPerson("Edda");
  await the.newProject(editor);
  await the.join(editor, the.project.id, "editor");
  const browser = await the.signedIn(editor);
  const headers = { "X-Form-Token": await tokenOf(browser) };
  assert.equal((await write(the, browser, headers)).status, 200);
  const membership = [editor.id, the.project.id];
  await the.sql("UPDATE membership SET role = 'viewer' WHERE person_id = $1 AND project_id = $2", membership);
  assert.deepEqual((await write(the, browser, headers)).code, "role");
  assert.equal((await call(browser, "GET", at(the.project.id, "/v1/statuses"))).status, 200);
  await the.sql("DELETE FROM membership WHERE person_id = $1 AND project_id = $2", membership);
  const [former, none] = await Promise.all(
    [the.project.id, "prj_none"].map((id) => call(browser, "GET", at(id, "/v1/statuses"))),
  );
  assert.deepEqual([former?.status, former?.body.error], [404, none?.body.error]);
});

test("a session that ended, was idle too long or never was is 401, from the next call on", async () => {
  await using the = await world({ alone: true });
  const path = at(the.project.id, "/v1/statuses");
  for (const end of [
    "DELETE FROM session",
    "UPDATE session SET expires_at = moment()",
    "UPDATE session SET used_at = moment() - interval '12 hours'",
  ]) {
    const browser = await the.signedIn();
    assert.equal((await call(browser, "GET", path)).status, 200);
    await the.sql(end);
    const { status, code } = await call(browser, "GET", path);
    assert.deepEqual([status, code], [401, "signed_out"], end);
  }
  assert.deepEqual((await call(the.browser(), "GET", path)).code, "signed_out");
  assert.deepEqual((await call(the.browser(), "GET", "/panel/api/me")).code, "signed_out");
});

test("a use that is recorded late does not bring back a session that was idle too long", async () => {
  await using the = await world({ alone: true });
  const path = at(the.project.id, "/v1/statuses");
  const browser = await the.signedIn();
  const waiting =
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  await the.service.db.transaction(async (tx) => {
    await tx.query("UPDATE session SET used_at = moment() - interval '12 hours'");
    assert.equal((await call(browser, "GET", path)).status, 200);
    while ((await the.sql(waiting)).length === 0) await sleep(20);
  });
  while ((await the.sql(waiting)).length > 0) await sleep(20);
  assert.equal((await call(browser, "GET", path)).code, "signed_out");
});

test("what a panel without anybody in front of it asks is no use of the session", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  await the.sql("UPDATE session SET used_at = moment() - interval '11 hours' WHERE person_id = $1", [
    the.person.id,
  ]);
  const path = at(the.project.id, "/v1/statuses");
  const answer = await browser.get(path, { "X-Leadgate-Unattended": "1" });
  assert.equal(answer.status, 200);
  const idle = "SELECT FROM session WHERE used_at < moment() - interval '10 hours'";
  await sleep(300);
  assert.equal((await the.sql(idle)).length, 1);
  assert.equal((await call(browser, "GET", path)).status, 200);
  while ((await the.sql(idle)).length > 0) await sleep(20);
});

test("the use of a session through the panel keeps it from being idle", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  await the.sql("UPDATE session SET used_at = moment() - interval '11 hours' WHERE person_id = $1", [
    the.person.id,
  ]);
  assert.equal((await call(browser, "GET", at(the.project.id, "/v1/statuses"))).status, 200);
  const used = "SELECT FROM session WHERE used_at > moment() - interval '1 minute'";
  while ((await the.sql(used)).length === 0) await sleep(20);
});

test("an API key opens nothing at the panel, and a session nothing at the API", async () => {
  await using the = await world();
  const [key, browser] = [await the.key(), await the.signedIn()];
  const bearer = { Authorization: `Bearer ${key.text}` };
  const path = at(the.project.id, "/v1/statuses");
  assert.equal((await call(the.browser(), "GET", path, { headers: bearer })).status, 401);
  browser.cookies.forEach((value, name) => {
    assert.ok(value !== "", name);
  });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  assert.equal((await fetch(`${the.baseUrl}/api/v1/statuses`, { headers: { Cookie: cookie } })).status, 401);
});

test("a call with a session costs what it costs with a key: one round trip, door and all", async () => {
  await using the = await world(QUIET);
  const browser = await the.signedIn();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const read = () => fetch(the.authUrl + at(the.project.id, "/v1/statuses"), { headers: { Cookie: cookie } });
  assert.equal((await read()).status, 200);
  assert.equal((await read()).status, 200);
  await settled(the, the.project.id);
  assert.deepEqual(await roundTrips(the)(read), [200, 1]);
});

test("me returns the person, their projects with role and permissions, and the language", async () => {
  await using the = await world();
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  const { body } = await call(await the.signedIn(viewer), "GET", "/panel/api/me", {
    headers: { "Accept-Language": "pt-BR" },
  });
  assert.equal(body.locale, "pt-BR");
  assert.deepEqual(body.projects, [
    {
      id: the.project.id,
      name: the.project.name,
      role: "viewer",
      timezone: "UTC",
      country: null,
      currency: null,
      permissions: ["leads:read", "datasets:read"],
      mayExport: true,
      manages: false,
    },
  ]);
});

test("the endpoints without a version are there too, and all refusals are in one envelope", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const headers = { "X-Form-Token": await tokenOf(browser) };
  const body = { project_id: the.project.id };
  const page = await call(browser, "POST", at(the.project.id, "/leads/query/"), { body, headers });
  assert.deepEqual([page.status, page.body.leads], [200, []]);
  const bad = await call(browser, "POST", at(the.project.id, "/leads/query/"), {
    body: { ...body, filters: [] },
    headers,
  });
  assert.deepEqual([bad.status, bad.code], [400, "unknown_key"]);
  const nothing = await call(browser, "GET", at(the.project.id, "/v1/nothing"));
  assert.deepEqual([nothing.status, nothing.code], [404, "not_found"]);
});

test("without a build the screens say what to run, and everything else works", async () => {
  await using the = await world({ config: { panelDir: "/nowhere" } });
  const browser = await the.signedIn();
  const screen = await browser.get(`/projects/${the.project.id}/settings/statuses`);
  assert.equal(screen.status, 503);
  assert.match(await screen.text(), /npm run build/);
  assert.equal((await browser.get("/")).status, 200);
  assert.equal((await browser.get("/panel/assets/main-x.js")).status, 404);
});
