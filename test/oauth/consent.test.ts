import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../browser.ts";
import { type World, world } from "../world.ts";
import { Application, bodyOf, exchange } from "./application.ts";

const returned = (answer: Response) => new URL(answer.headers.get("location") ?? "about:blank").searchParams;
const scopeOf = async (the: World, granted: Parameters<typeof exchange>[1]) =>
  (await bodyOf(await exchange(the, granted))).scope;

test("the page says who asks, in safe letters, where it returns, and that nobody verified it", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const hostile = `"><script>alert(1)</script>&<bdi>\u202e`;
  const app = await Application.register(the, {
    client_name: hostile,
    client_uri: "https://app.example/about?a=1&b=<2>",
    logo_uri: "https://app.example/logo.png",
  });
  const { page } = await formOf(await browser.get(app.address()));
  assert.doesNotMatch(page, /<script/);
  assert.ok(
    page.includes(`<bdi>&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#38;&#60;bdi&#62;\u202e</bdi>`),
  );
  assert.match(page, /<img [^>]*src="https:\/\/app.example\/logo.png"[^>]*referrerpolicy="no-referrer"/);
  assert.match(page, /<bdi>app\.example<\/bdi>/);
  assert.match(page, /registered itself/);
  assert.match(page, /90 days/);
  assert.equal(page.match(/type="checkbox" name="scope" value="mcp:(read|write)" checked/g)?.length, 2);
  const insecure = { logo_uri: "http://app.example/logo.png", redirect_uris: ["cursor://some.host/cb"] };
  const plain = await Application.register(the, insecure);
  const other = (await formOf(await browser.get(plain.address()))).page;
  assert.doesNotMatch(other, /<img/);
  assert.match(other, /<bdi>cursor:\/\/some\.host<\/bdi>/);
});

test("the person unticks writing, and finds the choice again next time", async () => {
  await using the = await world();
  await the.newProject(the.person, "Second project");
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const fresh = (await formOf(await browser.get(app.address()))).page;
  assert.doesNotMatch(fresh, /type="radio"[^>]*checked/);
  assert.equal(await scopeOf(the, await app.code(browser, { scopes: ["mcp:read"] })), "mcp:read");
  const { page } = await formOf(await browser.get(app.address()));
  assert.match(page, new RegExp(`value="${the.project.id}" required checked`));
  assert.match(page, /value="mcp:read" checked/);
  assert.doesNotMatch(page, /value="mcp:write" checked/);
  const more = await app.code(browser, { scopes: ["mcp:read", "mcp:write"] }, { scope: "mcp:read" });
  assert.equal(await scopeOf(the, more), "mcp:read", "nothing is granted that was not asked");
});

test("refusal, and approval with nothing ticked, is access_denied", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  for (const choice of [{ decision: "deny" } as const, { scopes: [] }, { scopes: ["other"] }]) {
    const answer = await app.decide(browser, choice);
    assert.equal(answer.status, 303);
    assert.equal(returned(answer).get("error"), "access_denied");
    assert.equal(returned(answer).get("state"), "st4te");
    assert.equal(returned(answer).get("iss"), the.authUrl);
    assert.equal(returned(answer).get("code"), null);
  }
});

test("a viewer grants reading only", async () => {
  await using the = await world();
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  const app = await Application.register(the);
  const browser = await the.signedIn(viewer);
  const { page } = await formOf(await browser.get(app.address()));
  assert.match(page, /value="mcp:write" disabled/);
  assert.equal(await scopeOf(the, await app.code(browser)), "mcp:read");
  const writing = (await formOf(await browser.get(app.address({ scope: "mcp:write" })))).page;
  assert.doesNotMatch(writing, /type="radio"/);
  const forced = await app.decide(browser, {}, { scope: "mcp:write" });
  assert.equal(returned(forced).get("error"), "access_denied");
});

test("a project that is not the person's own cannot be granted", async () => {
  await using the = await world();
  const stranger = await the.newPerson("Sam");
  const app = await Application.register(the);
  const browser = await the.signedIn(stranger);
  const { page } = await formOf(await browser.get(app.address()));
  assert.match(page, /no project yet/);
  assert.doesNotMatch(page, /value="approve"/);
  await the.newProject(stranger, "Own");
  for (const projectId of [the.project.id, "prj_00000000000000000000000000", ""]) {
    const answer = await app.decide(browser, { projectId });
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /Choose one of your projects/);
  }
});

test("the form counts only in its session, for its request, from our own page", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const form = await formOf(await browser.get(app.address()));
  const other = await formOf(await browser.get(app.address({ state: "other" })));
  const decision = { project_id: the.project.id, scope: "mcp:read", decision: "approve" };
  const attempts: Array<[Record<string, string>, Record<string, string>]> = [
    [{ ...form.hidden, token: "" }, {}],
    [{ ...form.hidden, token: other.hidden.token ?? "" }, {}],
    [{ ...form.hidden, request: other.hidden.request ?? "" }, {}],
    [form.hidden, { Origin: "https://evil.example" }],
    [form.hidden, { Origin: "null" }],
    [form.hidden, { "Sec-Fetch-Site": "cross-site" }],
  ];
  for (const [hidden, headers] of attempts) {
    const answer = await browser.post(form.action, { ...hidden, ...decision }, headers);
    assert.equal(answer.status, 403);
    assert.equal(answer.headers.get("location"), null);
  }
  const another = await (await the.signedIn(await the.newPerson())).post(form.action, {
    ...form.hidden,
    ...decision,
  });
  assert.equal(another.status, 403);
  const signedOut = await the.browser().post(form.action, { ...form.hidden, ...decision });
  assert.equal(signedOut.status, 303);
  assert.match(signedOut.headers.get("location") ?? "", /^\/oauth\/authorize\?/);
  assert.equal((await browser.post(form.action, { ...form.hidden, ...decision })).status, 303);
});

test("the sign-in form counts only in the browser that got it, and signs in a new session", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = the.browser();
  const form = await formOf(await browser.get(app.address()));
  const { email, password } = the.person;
  const forged = await the.browser().post(form.action, { ...form.hidden, email, password });
  assert.equal(forged.status, 403);
  assert.equal(forged.headers.get("location"), null);
  const foreign = await browser.post(
    form.action,
    { ...form.hidden, email, password },
    { Origin: "https://evil.example" },
  );
  assert.equal(foreign.status, 403);
  const before = new Set(browser.cookies.values());
  const back = await browser.post(form.action, { ...form.hidden, email, password });
  assert.equal(back.status, 303);
  const session = [...browser.cookies].find(([name]) => name.endsWith("leadgate_session"));
  assert.ok(session !== undefined && !before.has(session[1]));
});
