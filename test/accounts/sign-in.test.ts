import assert from "node:assert/strict";
import { test } from "node:test";
import { takePlace } from "../../src/domain/accounts/people/password.ts";
import { sweepSignInAttempts } from "../../src/domain/accounts/sign-in/sign-in-attempt.ts";
import { formOf } from "../browser.ts";
import { Application } from "../oauth/support/application.ts";
import { world } from "../world.ts";
import { attempt, auditOf } from "./support/signing-in.ts";

const proxied = (env: Record<string, string> = {}) =>
  world({ env: { TRUSTED_PROXIES: "127.0.0.1,::1", ...env } });
/** So rare that nothing is refilled during a test, however busy the machine. */
const seldom = JSON.stringify({ registration: { perHour: 10_000 }, signIn: { perMinute: 0.05, burst: 3 } });
const few = JSON.stringify({ registration: { perHour: 10_000 }, signIn: { perMinute: 1, burst: 3 } });

test("signing in on the way to an application leads back to the very same request, byte for byte", async () => {
  await using the = await world();
  const app = await Application.register(the, { client_name: `<b>"Acme" & 'sons'</b>` });
  const browser = the.browser();
  const address = `${app.address({ state: "st4te" })}&odd=a%20b+c%2f%2F\\x'y!*()~{}|^[]&x=%26%3d&&=`;
  const raw = await rawGet(the.authUrl, address);
  const asked = new Response(raw.body, { headers: raw.headers });
  for (const line of raw.cookies) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    browser.cookies.set(name, value);
  }
  const form = await formOf(asked);
  assert.match(form.page, /to continue to <bdi>&#60;b&#62;&#34;Acme&#34;/);
  assert.equal(form.action, "/sign-in");
  const wrong = await browser.post(form.action, { ...form.hidden, email: the.person.email, password: "no" });
  assert.equal(wrong.status, 401);
  const again = await formOf(wrong);
  assert.match(again.page, /to continue to <bdi>&#60;b&#62;&#34;Acme&#34;/);
  assert.ok(again.page.includes(`value="${the.person.email}"`), "the e-mail is kept");
  const { email, password } = the.person;
  const back = await browser.post(again.action, { ...again.hidden, email, password });
  assert.equal(back.status, 303);
  assert.equal(back.headers.get("location"), address);
});

test("neither the address nor the application's name of a sign-in form can be swapped", async () => {
  await using the = await world();
  const app = await Application.register(the, { client_name: "Trusted Bank" });
  const browser = the.browser();
  const form = await formOf(await browser.get(app.address()));
  const other = await formOf(await browser.get(app.address({ state: "other" })));
  const plain = await formOf(await browser.get("/sign-in?to=/connected-apps"));
  const { email, password } = the.person;
  const swaps: Array<Record<string, string>> = [
    { ...form.hidden, to: other.hidden.to ?? "" },
    { ...form.hidden, to: "/connected-apps" },
    { ...form.hidden, app: other.hidden.app ?? "" },
    { ...form.hidden, app: "" },
    { ...plain.hidden, app: form.hidden.app ?? "" },
    { ...form.hidden, form_token: other.hidden.form_token ?? "" },
    { ...form.hidden, form_token: "" },
  ];
  for (const swapped of swaps) {
    const answer = await browser.post("/sign-in", { ...swapped, email, password });
    assert.equal(answer.status, 403);
    assert.equal(browser.cookies.has("leadgate_session"), false);
    if (swapped.to === "/connected-apps") assert.doesNotMatch(await answer.text(), /Trusted Bank/);
  }
});

test("a form that became stale is shown again, keeps the request, and then works", async () => {
  await using the = await world();
  const app = await Application.register(the, { client_name: "Acme" });
  const browser = the.browser();
  const form = await formOf(await browser.get(app.address()));
  browser.cookies.clear();
  const { email, password } = the.person;
  const stale = await browser.post(form.action, { ...form.hidden, email, password });
  assert.equal(stale.status, 403);
  const again = await formOf(stale);
  assert.match(again.page, /has expired/);
  assert.match(again.page, /to continue to <bdi>Acme<\/bdi>/);
  assert.ok(again.page.includes(`value="${email}"`));
  assert.ok(!again.page.includes(password));
  const back = await browser.post(again.action, { ...again.hidden, email, password });
  assert.equal(back.headers.get("location"), app.address());
});

test("signing in starts a new session and ends the one that the browser had", async () => {
  await using the = await world({ alone: true });
  const browser = the.browser();
  const first = await formOf(await browser.get("/sign-in"));
  const { email, password } = the.person;
  await browser.post("/sign-in", { ...first.hidden, email, password });
  const former = browser.cookies.get("leadgate_session") ?? "";
  await browser.post("/sign-in", { ...first.hidden, email, password });
  const present = browser.cookies.get("leadgate_session") ?? "";
  assert.notEqual(present, former);
  assert.equal((await browser.get("/")).status, 200);
  browser.cookies.set("leadgate_session", former);
  assert.equal((await browser.get("/")).status, 303, "the former session is over");
  assert.equal((await the.sql("SELECT FROM session")).length, 1);
});

test("a session remembers from where and with what it was started; sign-in, failure and sign-out are audited", async () => {
  await using the = await proxied();
  const browser = the.browser();
  const { email, password, id } = the.person;
  await attempt(browser, { email, password: "not this one" }, "203.0.113.9");
  const { hidden } = await formOf(await browser.get("/sign-in"));
  const headers = { "X-Forwarded-For": "203.0.113.9", "User-Agent": `Test/1 ${"x".repeat(400)}` };
  await browser.post("/sign-in", { ...hidden, email, password }, headers);
  const [session] = await the.sql<{ id: string; address: string; agent: string }>(
    "SELECT id, address, agent FROM session",
  );
  assert.match(session?.id ?? "", /^ses_/);
  assert.equal(session?.address, "203.0.113.9");
  assert.match(session?.agent ?? "", /^Test\/1 x{193}$/);
  const home = await formOf(await browser.get("/"));
  await browser.post("/sign-out", home.hidden);
  const entries = await auditOf(the, id, 3);
  assert.deepEqual(entries.map(({ action }) => action).sort(), [
    "person.sign_in_failed",
    "person.signed_in",
    "person.signed_out",
  ]);
  const data = (action: string) => entries.find((entry) => entry.action === action)?.data;
  assert.deepEqual(data("person.sign_in_failed"), { reason: "password" });
  assert.deepEqual(data("person.signed_in"), { method: "password" });
  assert.ok(entries.every(({ address }) => address !== null));
  assert.ok(!JSON.stringify(entries).includes("not this one"));
});

test("guesses stop at the burst, even when they race, and the response says when to retry", async () => {
  await using the = await proxied({ LIMITS: few });
  const { email } = the.person;
  const browsers = Array.from({ length: 12 }, () => the.browser());
  const answers = await Promise.all(
    browsers.map((browser, at) => attempt(browser, { email, password: `guess ${at}` }, "203.0.113.5")),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    ...Array(3).fill(401),
    ...Array(9).fill(429),
  ]);
  for (const refused of answers.filter(({ status }) => status === 429)) {
    assert.ok(Number(refused.headers.get("retry-after")) >= 1);
    const form = await formOf(refused);
    assert.match(form.page, /role="alert"[^<]*>Too many failed attempts/);
    assert.ok(form.page.includes(`value="${email}"`));
  }
});

test("a correct password is refused too while the throttle holds, and accepted after it", async () => {
  await using the = await proxied({ LIMITS: few });
  const { email, password } = the.person;
  const since = performance.now();
  for (let turn = 0; turn < 3; turn += 1) {
    await attempt(the.browser(), { email, password: "wrong one" }, "203.0.113.5");
  }
  assert.equal((await attempt(the.browser(), { email, password }, "203.0.113.5")).status, 429);
  const waited = await attempt(the.browser(), { email, password }, "203.0.113.5");
  const seconds = Number(waited.headers.get("retry-after"));
  const gone = (performance.now() - since) / 1_000;
  assert.ok(seconds >= Math.floor(60 - gone) && seconds <= 60, `${seconds} after ${gone}`);
  await the.sql("UPDATE sign_in_failure SET until = until - make_interval(secs => $1)", [seconds]);
  assert.equal((await attempt(the.browser(), { email, password }, "203.0.113.5")).status, 303);
});

test("known and unknown e-mails are answered and throttled the same way", async () => {
  await using the = await proxied({ LIMITS: few });
  const seen = await Promise.all(
    [the.person.email, "nobody@example.org"].map(async (email, at) => {
      const told: string[] = [];
      for (const spelling of [email, email.toUpperCase(), ` ${email}`, email]) {
        const answer = await attempt(
          the.browser(),
          { email: spelling, password: "guess it" },
          `203.0.113.${at}`,
        );
        const page = (await answer.text()).replace(/value="[^"]*"/g, "").replace(/\d+ (seconds|minutes)/, "");
        told.push(`${answer.status} ${answer.headers.has("retry-after")} ${page}`);
      }
      return told;
    }),
  );
  assert.deepEqual(seen[0], seen[1]);
  assert.deepEqual(
    seen[0]?.map((line) => line.slice(0, 3)),
    ["401", "401", "401", "429"],
  );
});

test("a success clears what was counted for this account from this address", async () => {
  await using the = await proxied({ LIMITS: few });
  const { email, password } = the.person;
  for (let round = 0; round < 4; round += 1) {
    for (let turn = 0; turn < 2; turn += 1) {
      const wrong = await attempt(the.browser(), { email, password: "wrong one" }, "203.0.113.5");
      assert.equal(wrong.status, 401);
    }
    assert.equal((await attempt(the.browser(), { email, password }, "203.0.113.5")).status, 303);
  }
});

test("an address that tries many accounts is throttled as one, IPv6 by its network", async () => {
  await using the = await proxied({ LIMITS: seldom });
  const statuses: number[] = [];
  for (let turn = 0; turn < 17; turn += 1) {
    const email = `sprayed-${turn}@example.org`;
    const answer = await attempt(
      the.browser(),
      { email, password: "spring2026" },
      `2001:db8:1:2::${turn + 1}`,
    );
    statuses.push(answer.status);
  }
  assert.deepEqual(statuses, [...Array(15).fill(401), 429, 429]);
  const elsewhere = await attempt(the.browser(), the.person, "2001:db8:1:3::1");
  assert.equal(elsewhere.status, 303);
});

test("an attacker, from any number of addresses, does not lock out a browser that the owner used before", async () => {
  await using the = await proxied({ LIMITS: seldom });
  const { email, password } = the.person;
  const home = await the.signedIn();
  const signedOut = await formOf(await home.get("/"));
  await home.post("/sign-out", signedOut.hidden);
  let refused = 0;
  for (let turn = 0; turn < 34; turn += 1) {
    const guess = await attempt(the.browser(), { email, password: "wrong one" }, `198.51.100.${turn}`);
    if (guess.status === 429) refused += 1;
  }
  assert.equal(refused, 4, "thirty guesses from anywhere, then no more");
  assert.equal((await attempt(the.browser(), { email, password }, "198.51.100.200")).status, 429);
  const forged = the.browser();
  forged.cookies.set("leadgate_device", `${"0".repeat(32)}_${"1".repeat(20)}`);
  assert.equal((await attempt(forged, { email, password }, "198.51.100.201")).status, 429);
  const neighbour = await the.signedIn(await the.newPerson("Neighbour"));
  neighbour.cookies.delete("leadgate_session");
  assert.equal((await attempt(neighbour, { email, password }, "198.51.100.202")).status, 429);
  assert.equal((await attempt(home, { email, password }, "198.51.100.1")).status, 303);
});

test("a known browser is throttled separately", async () => {
  await using the = await proxied({ LIMITS: few });
  const { email } = the.person;
  const home = await the.signedIn();
  home.cookies.delete("leadgate_session");
  const statuses = await Promise.all(
    Array.from({ length: 6 }, async (_, turn) => {
      const guess = await attempt(home, { email, password: "wrong one" }, `198.51.100.${turn}`);
      return guess.status;
    }),
  );
  assert.deepEqual(statuses.sort(), [401, 401, 401, 429, 429, 429]);
});

test("LIMITS can turn the throttle off", async () => {
  const limits = JSON.stringify({ registration: { perHour: 10_000 }, signIn: null });
  await using the = await world({ env: { LIMITS: limits } });
  for (let turn = 0; turn < 15; turn += 1) {
    const wrong = await attempt(the.browser(), { email: the.person.email, password: "wrong one" });
    assert.equal(wrong.status, 401);
  }
  assert.deepEqual(await the.sql("SELECT FROM sign_in_failure"), []);
});

/** Takes all places for the check of a password, as hundreds do who sign in at once. */
function allPlaces(): Disposable {
  const places = new DisposableStack();
  for (;;) {
    try {
      places.use(takePlace());
    } catch {
      return places;
    }
  }
}

test("when too many sign in at once, the form says so and nothing counts against them", async () => {
  await using the = await world({ env: { LIMITS: few } });
  // A count that was committed could not be taken back: a busy database refuses that too.
  await the.sql(`CREATE FUNCTION leadgate.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF new.until < old.until THEN RAISE 'it was counted'; END IF; RETURN new; END $$`);
  await the.sql(`CREATE TRIGGER refuse BEFORE UPDATE ON leadgate.sign_in_failure
    FOR EACH ROW EXECUTE FUNCTION leadgate.refuse()`);
  const { email } = the.person;
  const browser = the.browser();
  const { hidden } = await formOf(await browser.get("/sign-in"));
  const send = () => browser.post("/sign-in", { ...hidden, email, password: "wrong one" });
  const counted = async () => (await the.sql("SELECT FROM sign_in_failure")).length;
  const places = allPlaces();
  try {
    for (const answer of await Promise.all(Array.from({ length: 20 }, send))) {
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get("retry-after"), "2");
      const page = await answer.text();
      assert.match(page, /Many people are signing in/);
      assert.ok(page.includes(`value="${email}"`));
    }
    assert.equal(await counted(), 0);
  } finally {
    places[Symbol.dispose]();
  }
  assert.equal((await send()).status, 401);
  assert.equal(await counted(), 3);
});

test("expired counts are deleted, and current ones stay", async () => {
  await using the = await proxied();
  await attempt(the.browser(), { email: "old@example.org", password: "wrong one" }, "203.0.113.1");
  await the.sql("UPDATE sign_in_failure SET until = leadgate.moment() - interval '1 second'");
  await attempt(the.browser(), { email: "new@example.org", password: "wrong one" }, "203.0.113.2");
  await sweepSignInAttempts(the.service);
  const left = await the.sql<{ bucket: string }>("SELECT bucket FROM sign_in_failure");
  assert.equal(left.length, 3);
  assert.ok(left.every(({ bucket }) => !bucket.includes("203.0.113.1")));
});

test("the sign-in is in Portuguese for a browser that prefers it", async () => {
  await using the = await proxied({ LIMITS: few });
  const app = await Application.register(the, { client_name: "Acme" });
  const browser = the.browser();
  const brazilian = { "Accept-Language": "pt-BR,pt;q=0.9,en;q=0.5" };
  const form = await formOf(await browser.get(app.address(), brazilian));
  assert.match(form.page, /<html lang="pt-BR">/);
  assert.match(form.page, /para continuar em <bdi>Acme<\/bdi>/);
  const tried = { ...form.hidden, email: the.person.email, password: "errada" };
  const told: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    told.push(await (await browser.post("/sign-in", tried, brazilian)).text());
  }
  assert.match(told[0] ?? "", /E-mail ou senha incorretos/);
  assert.match(told[3] ?? "", /Muitas tentativas sem sucesso.*Tente de novo em \d+ segundos/);
});

/** Sends a request line verbatim: fetch would encode characters that other clients send unencoded. */
async function rawGet(origin: string, target: string) {
  const { request } = await import("node:http");
  return await new Promise<{ body: string; headers: Record<string, string>; cookies: string[] }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(origin);
      const asked = request({ hostname, port, path: target }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({
            body: Buffer.concat(chunks).toString(),
            headers: { "content-type": answer.headers["content-type"] ?? "" },
            cookies: answer.headers["set-cookie"] ?? [],
          }),
        );
      });
      asked.on("error", reject);
      asked.end();
    },
  );
}
