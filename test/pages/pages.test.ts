import assert from "node:assert/strict";
import { test } from "node:test";
import { offerSetUp } from "../../src/domain/projects/set-up.ts";
import { formOf } from "../browser.ts";
import { world } from "../world.ts";

const keysOf = (projectId: string) => `/projects/${projectId}/settings/api-keys`;

test("a person signs in, sees their projects and signs out", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const home = await formOf(await browser.get("/"));
  assert.match(home.page, /Harbour Sales/);
  const out = await browser.post(home.action, home.hidden);
  assert.equal(out.headers.get("location"), "/sign-in");
  assert.equal((await browser.get("/")).headers.get("location"), "/sign-in?to=%2F");
});

test("a wrong password and an unknown e-mail get the same response", async () => {
  await using the = await world();
  const tries = [
    { email: the.person.email, password: "wrong password" },
    { email: "nobody@example.org", password: "wrong password" },
  ];
  const answers = await Promise.all(
    tries.map(async (attempt) => {
      const response = await the.browser().signIn(attempt);
      const page = (await response.text()).replace(/value="[^"]*"/g, "");
      return { status: response.status, page };
    }),
  );
  assert.equal(answers[0]?.status, 401);
  assert.deepEqual(answers[0], answers[1]);
});

test("signing in starts a new session, and never takes over the one a browser came with", async () => {
  await using the = await world();
  const browser = the.browser();
  browser.cookies.set("leadgate_session", "f".repeat(64));
  await browser.signIn(the.person);
  assert.notEqual(browser.cookies.get("leadgate_session"), "f".repeat(64));
});

test("sign-in leads back to where the person wanted to go, and never to another host", async () => {
  await using the = await world();
  for (const [to, expected] of [
    [`/projects/${the.project.id}`, `/projects/${the.project.id}`],
    ["//evil.example", "/start"],
    ["/\\evil.example", "/start"],
    ["https://evil.example", "/start"],
  ] as const) {
    const browser = the.browser();
    const form = await formOf(await browser.get(`/sign-in?to=${encodeURIComponent(to)}`));
    const answer = await browser.post("/sign-in", {
      ...form.hidden,
      email: the.person.email,
      password: the.person.password,
    });
    assert.equal(answer.headers.get("location"), expected);
  }
});

test("a key is made under Settings, shown once, works, and ends when it is revoked", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const { hidden } = await formOf(await browser.get(keysOf(the.project.id)));
  const made = await (
    await browser.post(keysOf(the.project.id), [
      ...Object.entries(hidden),
      ["name", "My CRM"],
      ["permission", "leads:read"],
    ])
  ).text();
  const key = /<code id="new-key">([^<]+)</.exec(made)?.[1] ?? "";
  assert.match(key, /^lgk_/);
  const query = () =>
    fetch(`${the.baseUrl}/api/leads/query/`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ project_id: the.project.id }),
    });
  assert.equal((await query()).status, 200);
  const listed = await (await browser.get(keysOf(the.project.id))).text();
  assert.match(listed, /My CRM/);
  assert.ok(!listed.includes(key), "the key is not shown again");
  const revoke = /action="([^"]+\/revoke)"/.exec(listed)?.[1] ?? "";
  assert.equal((await browser.post(revoke, hidden)).status, 303);
  assert.equal((await query()).status, 401);
});

test("reloading a page with a new key creates no second key, and explains what to do", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const page = await (await browser.get(keysOf(the.project.id))).text();
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? "";
  const { hidden } = await formOf(await browser.get(keysOf(the.project.id)));
  const send = () =>
    browser.post(keysOf(the.project.id), {
      ...hidden,
      id: field("id"),
      name: "CRM",
      permission: "leads:read",
    });
  assert.equal((await send()).status, 200);
  const again = await send();
  assert.equal(again.status, 409);
  const told = await again.text();
  assert.match(told, /already been created.*revoke it and create another/);
  assert.doesNotMatch(told, /id="new-key"/);
  assert.equal((await the.sql("SELECT FROM store.api_key")).length, 1);
});

test("only owners and admins manage keys, and another person's project looks nonexistent", async () => {
  await using the = await world();
  const [viewer, stranger] = [await the.newPerson("Vi"), await the.newPerson("Stan")];
  await the.newProject(stranger);
  await the.join(viewer, the.project.id, "viewer");
  assert.equal((await (await the.signedIn(viewer)).get(keysOf(the.project.id))).status, 403);
  assert.equal((await (await the.signedIn(stranger)).get(keysOf(the.project.id))).status, 404);
  assert.equal((await (await the.signedIn(stranger)).get(`/projects/${the.project.id}`)).status, 404);
});

test("a sign-in leads to the only project's dashboard, otherwise to the list of projects; a project leads to its dashboard", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const leadsTo = async (path: string) => (await browser.get(path)).headers.get("location");
  const dashboard = `/projects/${the.project.id}/dashboard`;
  assert.deepEqual(
    [await leadsTo("/start"), await leadsTo(`/projects/${the.project.id}`)],
    [dashboard, dashboard],
  );
  await the.newProject(the.person, "Second");
  assert.equal(await leadsTo("/start"), "/");
  const nobody = await the.signedIn(await the.newPerson("Nia"));
  assert.equal((await nobody.get("/start")).headers.get("location"), "/");
  const overview = await (await browser.get(`/projects/${the.project.id}/settings/overview`)).text();
  for (const shown of [the.project.id, "/mcp", "Time zone"]) assert.ok(overview.includes(shown), shown);
});

test("a form without its anti-forgery token, or from another site, changes nothing", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const { hidden } = await formOf(await browser.get(keysOf(the.project.id)));
  const wanted = { name: "Forged", permission: "leads:read" };
  const forged = await Promise.all([
    browser.post(keysOf(the.project.id), wanted),
    browser.post(keysOf(the.project.id), { ...hidden, ...wanted }, { Origin: "https://evil.example" }),
    browser.post(keysOf(the.project.id), { ...hidden, ...wanted }, { "Sec-Fetch-Site": "cross-site" }),
  ]);
  assert.deepEqual(
    forged.map((answer) => answer.status),
    [403, 403, 403],
  );
  assert.deepEqual(await the.sql("SELECT FROM store.api_key"), []);
});

test("the first owner comes in through the printed link, once", async () => {
  await using the = await world({ alone: true });
  assert.equal(await offerSetUp(the.service), undefined, "no link while there is an owner");
  await the.sql("DELETE FROM person");
  const link = await offerSetUp(the.service);
  const owner = {
    name: "First",
    email: "first@example.org",
    password: "a long enough one",
    project: "Début",
  };
  const browser = the.browser();
  assert.equal((await browser.get(`/setup/${link}`)).status, 200);
  assert.equal((await browser.post(`/setup/${link}`, { ...owner, password: "short" })).status, 400);
  const made = await browser.post(`/setup/${link}`, owner, { "Accept-Language": "pt-BR,pt;q=0.9" });
  assert.equal(made.headers.get("location"), "/start");
  assert.match(await (await browser.get("/")).text(), /Début/);
  const place = "SELECT timezone, default_country FROM store.project WHERE name = 'Début'";
  assert.deepEqual(await the.sql(place), [{ timezone: "America/Sao_Paulo", default_country: "BR" }]);
  assert.equal((await the.browser().get(`/setup/${link}`)).status, 404);
  assert.equal(
    (await the.browser().post(`/setup/${link}`, { ...owner, email: "second@example.org" })).status,
    404,
  );
});

test("hostile names are shown as text, and pages forbid inline script and framing", async () => {
  await using the = await world();
  const hostile = `<img src=x onerror=alert(1)>"'&`;
  const project = await the.newProject(the.person, hostile);
  const browser = await the.signedIn();
  for (const path of ["/", `/projects/${project.id}/settings/overview`]) {
    const answer = await browser.get(path);
    const page = await answer.text();
    assert.ok(!page.includes("<img src=x"), path);
    assert.match(
      answer.headers.get("content-security-policy") ?? "",
      /script-src 'self'.*frame-ancestors 'none'/,
    );
    assert.equal(answer.headers.get("x-frame-options"), "DENY");
    assert.equal(answer.headers.get("cache-control"), "no-store");
  }
});
