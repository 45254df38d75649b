import assert from "node:assert/strict";
import { test } from "node:test";
import { mailbox } from "../../accounts/support/mailbox.ts";
import { formOf } from "../../browser.ts";
import { type World, world } from "../../world.ts";
import { Application, bodyOf, exchange } from "../support/application.ts";

const returned = (answer: Response) => new URL(answer.headers.get("location") ?? "about:blank").searchParams;
const scopeOf = async (the: World, granted: Parameters<typeof exchange>[1]) =>
  (await bodyOf(await exchange(the, granted))).scope;

test("the page shows who asks, in safe characters, where it returns, and that nobody verified it", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const hostile = `"><script>alert(1)</script>&<bdi>\u202e`;
  const app = await Application.register(the, {
    client_name: hostile,
    client_uri: "https://app.example/about?a=1&b=<2>",
    logo_uri: "https://app.example/logo.png",
  });
  const { page } = await formOf(await browser.get(app.address()));
  assert.deepEqual(page.match(/<script[^>]*>/g), [`<script src="/assets/consent.js">`]);
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
  assert.doesNotMatch(other, /<img class="logo"/);
  assert.match(other, /<bdi>cursor:\/\/some\.host<\/bdi>/);
  assert.match(other, /<bdi>http:\/\/app\.example\/logo\.png<\/bdi>/, "what is not loaded is told");
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
  assert.match(page, /do not have a project yet/);
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

const approval = (projectId: string) => ({
  project_id: projectId,
  scope: "mcp:read",
  decision: "approve",
});

/** Returns a page's form by the end of its URL: its action and hidden fields. */
function formTo(page: string, end: string): { action: string; hidden: Record<string, string> } {
  const form = [...page.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(
    ([, action]) => action?.endsWith(end),
  );
  assert.ok(form !== undefined, `a form to ${end}`);
  const fields = [...(form[2] ?? "").matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    action: form[1] ?? "",
    hidden: Object.fromEntries(fields.map(([, name, value]) => [name, value])),
  };
}

test("who has no project creates one on the spot, once however often the form is sent, and finds it chosen", async () => {
  await using the = await world();
  const fresh = await the.newPerson("Nina");
  const browser = await the.signedIn(fresh);
  const app = await Application.register(the);
  const address = app.address({ state: 'a b+c%20"' });
  const form = formTo(await (await browser.get(address)).text(), "/new-project");
  const create = (name: string) => browser.post(form.action, { ...form.hidden, project_name: name });
  for (const name of ["", "   ", "x".repeat(201)]) {
    const refused = await create(name);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /A project needs a name of 1 to 200 characters/);
  }
  const answers = await Promise.all([create("Début"), create(" Début "), create("Début")]);
  for (const answer of answers) {
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get("location"), address);
  }
  const projects = await the.sql<{ project_id: string }>(
    "SELECT project_id FROM membership WHERE person_id = $1",
    [fresh.id],
  );
  assert.equal(projects.length, 1);
  assert.match(
    await (await browser.get(address)).text(),
    new RegExp(`${projects[0]?.project_id}" required checked`),
  );
  assert.equal((await create("Zweites")).status, 303);
  const page = await (await browser.get(address)).text();
  assert.match(page, /required checked>\s*<span><bdi>Zweites/);
  const foreign = await browser.post(form.action, { ...form.hidden, token: "", project_name: "Forged" });
  assert.equal(foreign.status, 403);
  assert.equal((await the.sql("SELECT FROM membership WHERE person_id = $1", [fresh.id])).length, 2);
  const audited = await the.sql("SELECT FROM audit WHERE action = 'project.created' AND person_id = $1", [
    fresh.id,
  ]);
  assert.equal(audited.length, 2);
});

test("another account signs in and comes back to the very same request", async () => {
  await using the = await world();
  const other = await the.newPerson("Otto");
  const browser = await the.signedIn();
  const app = await Application.register(the);
  const address = app.address({ state: "st%4tè&+" });
  const page = await (await browser.get(address)).text();
  assert.match(page, new RegExp(`signed in as <bdi>${the.person.email}`));
  const leave = formTo(page, "/other-account");
  const out = await browser.post(leave.action, leave.hidden);
  assert.equal(out.headers.get("location"), address);
  const signIn = await formOf(await browser.get(address));
  const back = await browser.post(signIn.action, {
    ...signIn.hidden,
    email: other.email,
    password: other.password,
  });
  assert.equal(back.headers.get("location"), address);
  assert.match(await (await browser.get(address)).text(), new RegExp(`signed in as <bdi>${other.email}`));
});

test("a session that ends while the page is open leads to sign-in and back to the same request", async () => {
  await using the = await world({ alone: true });
  const app = await Application.register(the);
  const address = app.address();
  const browser = await the.signedIn();
  const form = await formOf(await browser.get(address));
  await the.sql("DELETE FROM session");
  for (const [action, more] of [
    [form.action, approval(the.project.id)],
    ["/oauth/new-project", { project_name: "X" }],
    ["/oauth/other-account", {}],
  ] as const) {
    const answer = await browser.post(action, { ...form.hidden, ...more });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get("location"), address);
  }
  const signIn = await formOf(await browser.get(address));
  const { email, password } = the.person;
  const back = await browser.post(signIn.action, { ...signIn.hidden, email, password });
  assert.equal(back.headers.get("location"), address);
  const stale = await browser.post(form.action, { ...form.hidden, ...approval(the.project.id) });
  assert.equal(stale.status, 403, "the page of the former session decides nothing");
  assert.equal(stale.headers.get("location"), null);
  const again = await formOf(stale);
  assert.match(again.page, /Your session has changed/);
  const approved = await browser.post(again.action, { ...again.hidden, ...approval(the.project.id) });
  assert.ok(returned(approved).get("code"));
});

test("a form sent twice, two tabs and the back button each decide for their own request", async () => {
  await using the = await world({ alone: true });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const one = await formOf(await browser.get(app.address({ state: "one" })));
  const two = await formOf(await browser.get(app.address({ state: "two" })));
  const approve = (form: typeof one) =>
    browser.post(form.action, { ...form.hidden, ...approval(the.project.id) });
  const answers = await Promise.all([approve(one), approve(one), approve(two), approve(two)]);
  assert.deepEqual(
    answers.map((answer) => returned(answer).get("state")),
    ["one", "one", "two", "two"],
  );
  assert.equal(new Set(answers.map((answer) => returned(answer).get("code"))).size, 4);
  assert.equal((await the.sql("SELECT FROM store.authorization")).length, 0, "a code alone grants nothing");
  const refused = await browser.post(one.action, { ...one.hidden, decision: "deny" });
  assert.equal(returned(refused).get("error"), "access_denied", "going back to refuse is possible");
});

test("a request that is wrong by the time of the answer, or an application that is gone, gets no code", async () => {
  await using the = await world({ alone: true });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const form = await formOf(await browser.get(app.address()));
  await the.sql("DELETE FROM client");
  const answer = await browser.post(form.action, { ...form.hidden, ...approval(the.project.id) });
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get("location"), null);
  assert.deepEqual(await the.sql("SELECT FROM store.authorization_code"), []);
});

test("a project in which the person may only read is offered and marked, next to those in which they may write", async () => {
  await using the = await world();
  const other = await the.newPerson("Otto");
  const team = await the.newProject(other, "Team South");
  await the.join(the.person, team.id, "viewer");
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const { page } = await formOf(await browser.get(app.address()));
  assert.match(
    page,
    new RegExp(`class="choice reads"><input type="radio" name="project_id" value="${team.id}"`),
  );
  const [, read = "", write = ""] = page.split(/(?=<input type="checkbox" name="scope")/);
  assert.doesNotMatch(read, /Not in the project you chose/, "they may read everywhere");
  assert.match(write, /value="mcp:write"(?![^>]*disabled).*Not in the project you chose/s);
  assert.equal(await scopeOf(the, await app.code(browser, { projectId: team.id })), "mcp:read");
  const writing = (await formOf(await browser.get(app.address({ scope: "mcp:write" })))).page;
  assert.ok(!writing.includes(team.id), "where nothing of it may be granted is not offered");
});

test("the pages speak the person's language", async () => {
  await using the = await world({ alone: true });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const portuguese = { "Accept-Language": "pt-BR,pt;q=0.9" };
  const page = await (await browser.get(app.address(), portuguese)).text();
  assert.match(page, /<html lang="pt-BR">/);
  assert.match(page, /Criar, editar e excluir[\s\S]*Permitir/);
  assert.doesNotMatch(page, /Allow|Deny|Create/);
  const error = await (await browser.get("/oauth/authorize?client_id=x&redirect_uri=y", portuguese)).text();
  assert.match(error, /Este aplicativo não está registrado aqui/);
  await the.sql("UPDATE person SET locale = 'en'");
  assert.match(await (await browser.get(app.address(), portuguese)).text(), /<html lang="en">/);
});

test("a person is notified by mail of an application that is new to them, once, and not of a known one", async () => {
  await using box = await mailbox();
  await using the = await world({ env: { SMTP_URL: box.url } });
  const app = await Application.register(the, { client_name: "Brand new" });
  const browser = await the.signedIn();
  await box.letter(the.person.email, /New sign-in/);
  const form = await formOf(await browser.get(app.address()));
  const approve = () => browser.post(form.action, { ...form.hidden, ...approval(the.project.id) });
  await Promise.all([approve(), approve()]);
  await box.letter(the.person.email, /Brand new/);
  await app.tokens(browser);
  await the.sql("UPDATE consent_choice SET chosen_at = now() - interval '1 day'");
  await app.tokens(browser);
  const other = await Application.register(the, { client_name: "Another one" });
  await other.code(browser);
  await box.letter(the.person.email, /Another one/);
  assert.deepEqual(box.letters, []);
});
