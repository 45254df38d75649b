import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../browser.ts";
import { Application } from "../oauth/support/application.ts";
import { cluster } from "../oauth/support/instances.ts";
import { type World, world } from "../world.ts";
import { act, attempt, auditOf, codeOf, hiddenIn, secondStep, setUpApp } from "./support/signing-in.ts";

const ADDRESS = "/account/two-factor";

test("setting up an app shows its secret as text and picture, takes its first code, and gives ten recovery codes once", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const { password, id } = the.person;
  const refused = await act(browser, ADDRESS, { do: "begin", proof: "not my password" });
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /not your password/);
  const begun = await act(browser, ADDRESS, { do: "begin", proof: password });
  const page = await begun.text();
  assert.match(page, /<svg class="qr" role="img" aria-label="QR code[^"]*"/);
  assert.doesNotMatch(page, /style=/);
  const sent = {
    form_token: hiddenIn(page, "form_token"),
    enrolment: hiddenIn(page, "enrolment"),
    do: "confirm",
  };
  const wrong = await browser.post(ADDRESS, { ...sent, code: "000000" });
  assert.equal(wrong.status, 400);
  assert.match(await wrong.text(), /<svg class="qr"/, "the same secret stays on the page");
  assert.match(await (await browser.get(ADDRESS)).text(), /It is off/);
  const secret = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(page)?.[1]?.replaceAll(" ", "") ?? "";
  const code = await codeOf(secret);
  const racing = await Promise.all(
    [1, 2].map(() => browser.post(ADDRESS, { ...sent, code: `${code.slice(0, 3)} ${code.slice(3)} ` })),
  );
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 409]);
  const shown = await (racing.find(({ status }) => status === 200) ?? racing[0])?.text();
  assert.equal(shown?.match(/<li><code>[0-9a-z-]{19}<\/code>/g)?.length, 10);
  const after = await (await browser.get(ADDRESS)).text();
  assert.match(after, /It is on since/);
  assert.doesNotMatch(after, /<li><code>/);
  const [stored] = await the.sql<{ sealed: string }>(
    "SELECT totp_sealed AS sealed FROM person WHERE id = $1",
    [id],
  );
  assert.ok(stored !== undefined && !stored.sealed.includes(secret));
  assert.deepEqual(
    (await auditOf(the, id)).map(({ action }) => action),
    ["person.signed_in", "person.two_factor_on"],
  );
});

test("with an app set up, a password alone starts no session; the code does, and leads on to the application", async () => {
  await using the = await world();
  const { secret } = await setUpApp(await the.signedIn(), the.person.password);
  const app = await Application.register(the);
  const browser = the.browser();
  const { email, password, id } = the.person;
  const form = await formOf(await browser.get(app.address()));
  const asked = await browser.post(form.action, { ...form.hidden, email, password });
  assert.equal(asked.status, 200);
  assert.equal(browser.cookies.has("leadgate_session"), false);
  assert.match((await browser.get("/")).headers.get("location") ?? "", /^\/sign-in/);
  const answer = await secondStep(browser, asked, { code: await codeOf(secret) });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get("location"), app.address());
  assert.equal((await browser.get("/")).status, 200);
  assert.deepEqual((await auditOf(the, id)).at(-1)?.data, { method: "password", second_factor: "totp" });
});

test("a wrong code, a code of long ago and a used code are refused, and the page asks again", async () => {
  await using the = await world();
  const { secret, confirmed } = await setUpApp(await the.signedIn(), the.person.password);
  const code = await codeOf(secret);
  const browser = the.browser();
  let page = await attempt(browser, the.person);
  for (const wrong of [await codeOf(secret, 3), confirmed, "12345", "", "abcdef", "１２３４５６"]) {
    page = await secondStep(browser, page, { code: wrong });
    assert.equal(page.status, 401, wrong);
    assert.equal(browser.cookies.has("leadgate_session"), false);
  }
  assert.equal((await secondStep(browser, page, { code })).status, 303);
  const again = await secondStep(the.browser(), await attempt(the.browser(), the.person), { code });
  assert.equal(again.status, 403, "the second step belongs to the browser that began it");
  const other = the.browser();
  const used = await secondStep(other, await attempt(other, the.person), { code });
  assert.equal(used.status, 401);
  assert.match(await used.text(), /already been used/);
});

test("one code lets in one browser, even when two race", async () => {
  await using the = await world();
  const { secret } = await setUpApp(await the.signedIn(), the.person.password);
  const browsers = Array.from({ length: 4 }, () => the.browser());
  const pages = await Promise.all(browsers.map((browser) => attempt(browser, the.person)));
  const code = await codeOf(secret);
  const answers = await Promise.all(
    pages.map((page, at) => secondStep(browsers[at] ?? the.browser(), page, { code })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 401, 401, 401]);
});

test("a recovery code works once, however it is typed, and its use is audited", async () => {
  await using the = await world();
  const { recovery } = await setUpApp(await the.signedIn(), the.person.password);
  const [first = "", second = ""] = recovery;
  const browsers = Array.from({ length: 3 }, () => the.browser());
  const pages = await Promise.all(browsers.map((browser) => attempt(browser, the.person)));
  const answers = await Promise.all(
    pages.map((page, at) => secondStep(browsers[at] ?? the.browser(), page, { recovery: first })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 401, 401]);
  const typed = ` ${second.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l")}`;
  const browser = the.browser();
  assert.equal(
    (await secondStep(browser, await attempt(browser, the.person), { recovery: typed })).status,
    303,
  );
  const entries = await auditOf(the, the.person.id);
  const uses = entries.filter(({ action }) => action === "person.recovery_code_used");
  assert.deepEqual(
    uses.map(({ data }) => data),
    [{ left: 9 }, { left: 8 }],
  );
  assert.ok(!JSON.stringify(entries).includes(first));
});

test("codes are throttled by person, and the owner's own browser still gets in", async () => {
  const limits = JSON.stringify({ signIn: { perMinute: 1, burst: 3 } });
  await using the = await world({ env: { LIMITS: limits } });
  const home = await the.signedIn();
  const { secret } = await setUpApp(home, the.person.password);
  const strangers = Array.from({ length: 6 }, () => the.browser());
  const pages: Response[] = [];
  for (const stranger of strangers) pages.push(await attempt(stranger, the.person));
  const answers = await Promise.all(
    pages.map((page, at) => secondStep(strangers[at] ?? home, page, { code: `00000${at}` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [401, 401, 401, 429, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  assert.ok(Number(refused?.headers.get("retry-after")) >= 1);
  assert.match((await refused?.text()) ?? "", /name="code"/);
  home.cookies.delete("leadgate_session");
  const known = await secondStep(home, await attempt(home, the.person), { code: await codeOf(secret) });
  assert.equal(known.status, 303);
});

test("the second step ends with time, with a changed password, and never opens for a forged state", async () => {
  await using the = await world({ alone: true });
  const { secret } = await setUpApp(await the.signedIn(), the.person.password);
  const browser = the.browser();
  const form = await formOf(await attempt(browser, the.person));
  const forged = await browser.post(form.action, {
    ...form.hidden,
    state: `${form.hidden.state?.slice(0, -4)}AAAA`,
    code: await codeOf(secret),
  });
  assert.equal(forged.status, 403);
  const moment = await the.sql<{ definition: string }>(
    "SELECT pg_get_functiondef('leadgate.moment()'::regprocedure) AS definition",
  );
  await the.sql(
    "CREATE OR REPLACE FUNCTION leadgate.moment() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE RETURN now() + interval '6 minutes'",
  );
  const late = await browser.post(form.action, { ...form.hidden, code: await codeOf(secret) });
  assert.equal(late.status, 403);
  const again = await late.text();
  assert.match(again, /took too long/);
  assert.match(again, /name="password"/);
  await the.sql(moment[0]?.definition ?? "");
  await the.sql("UPDATE person SET password_hash = password_hash || ' ' WHERE id = $1", [the.person.id]);
  const changed = await browser.post(form.action, { ...form.hidden, code: await codeOf(secret) });
  assert.equal(changed.status, 403);
  assert.equal(browser.cookies.has("leadgate_session"), false);
});

test("turning it off, and new recovery codes, ask for the password or a code; afterwards a password is enough", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const { secret, recovery } = await setUpApp(browser, the.person.password);
  for (const wish of ["off", "codes", "begin"]) {
    assert.equal((await act(browser, ADDRESS, { do: wish, proof: "000000" })).status, 403, wish);
  }
  const renewed = await (await act(browser, ADDRESS, { do: "codes", proof: the.person.password })).text();
  assert.ok(recovery.every((code) => !renewed.includes(code)));
  const other = the.browser();
  const old = await secondStep(other, await attempt(other, the.person), { recovery: recovery[0] ?? "" });
  assert.equal(old.status, 401, "the former recovery codes ended");
  assert.equal((await act(browser, ADDRESS, { do: "off", proof: await codeOf(secret) })).status, 303);
  assert.deepEqual(await the.sql("SELECT FROM recovery_code"), []);
  assert.equal((await attempt(the.browser(), the.person)).status, 303);
  const actions = (await auditOf(the, the.person.id)).map(({ action }) => action);
  for (const action of ["person.recovery_codes_renewed", "person.two_factor_off"])
    assert.ok(actions.includes(action));
});

test("an enrolment counts only for the person and session that began it", async () => {
  await using the = await world({ alone: true });
  const mallory = await the.newPerson("Mallory");
  const theirs = await the.signedIn(mallory);
  const begun = await (await act(theirs, ADDRESS, { do: "begin", proof: mallory.password })).text();
  const secret = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(begun)?.[1]?.replaceAll(" ", "") ?? "";
  const mine = await the.signedIn();
  const planted = await act(mine, ADDRESS, {
    do: "confirm",
    enrolment: hiddenIn(begun, "enrolment"),
    code: await codeOf(secret),
  });
  assert.equal(planted.status, 403);
  assert.deepEqual(await the.sql("SELECT FROM person WHERE totp_sealed IS NOT NULL"), []);
});

test("a rotation of the secret key keeps the app, the known browser and the recovery codes working", async () => {
  await using the = await world();
  const home = await the.signedIn();
  const { secret, recovery } = await setUpApp(home, the.person.password);
  const rotated = { DATABASE_URL: the.databaseUrl, SECRET_KEY: `${"a1".repeat(32)},${the.env.SECRET_KEY}` };
  await using later = await world({ env: rotated });
  const browser = later.browser();
  const asked = await attempt(browser, the.person);
  assert.equal((await secondStep(browser, asked, { code: await codeOf(secret) })).status, 303);
  const other = later.browser();
  const lost = await attempt(other, the.person);
  assert.equal((await secondStep(other, lost, { recovery: recovery[3] ?? "" })).status, 303);
});

test("a code of the app moves its secret to the key that signs, so that the former key can be removed", async () => {
  await using many = await cluster();
  const [former, newer] = ["c".repeat(32), "d".repeat(32)];
  const before = await many.start(former);
  const { person } = before;
  const { secret } = await setUpApp(await before.signedIn(), person.password);
  await many.stop(before);
  const signInOn = async (the: World, code: string) => {
    const browser = the.browser();
    return (await secondStep(browser, await attempt(browser, person), { code })).status;
  };
  const both = await many.start(`${newer},${former}`);
  assert.equal(await signInOn(both, await codeOf(secret)), 303);
  await many.stop(both);
  assert.equal(await signInOn(await many.start(newer), await codeOf(secret, -1)), 303);
});

test("the second step and its page are available in Portuguese", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  await setUpApp(browser, the.person.password);
  await the.sql("UPDATE person SET locale = 'pt-BR'");
  assert.match(await (await browser.get(ADDRESS)).text(), /Está ativada desde/);
  const brazilian = { "Accept-Language": "pt-BR" };
  const other = the.browser();
  const form = await formOf(await other.get("/sign-in", brazilian));
  const { email, password } = the.person;
  const asked = await formOf(await other.post("/sign-in", { ...form.hidden, email, password }, brazilian));
  assert.match(asked.page, /seis dígitos/);
  const wrong = await other.post(asked.action, { ...asked.hidden, code: "1" }, brazilian);
  assert.match(await wrong.text(), /Este código está incorreto/);
});
