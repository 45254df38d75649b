import assert from "node:assert/strict";
import { test } from "node:test";
import { sweepChallenges } from "../../src/domain/accounts/sign-in/passkey-challenge.ts";
import { endEverything } from "../../src/domain/upkeep/end-everything.ts";
import { type Browser, formOf } from "../browser.ts";
import { realBrowser } from "../chromium.ts";
import { Application } from "../oauth/support/application.ts";
import { setAhead } from "../oauth/support/clock.ts";
import { type World, world } from "../world.ts";
import { Authenticator } from "./support/authenticator.ts";
import { sendJson } from "./support/passkey-use.ts";
import { act, attempt, auditOf, hiddenIn, setUpApp } from "./support/signing-in.ts";

const ADDRESS = "/account/passkeys";

type Options = { challenge: string };
const challengeIn = async (answer: Response) => ((await answer.json()) as Options).challenge;

async function tokenOf(browser: Browser): Promise<string> {
  return hiddenIn(await (await browser.get(ADDRESS)).text(), "form_token");
}

/** Adds a passkey in a signed-in browser; whatever the test leaves out is valid. */
async function add(
  browser: Browser,
  password: string,
  key: Authenticator,
  lie: { origin?: string; verified?: boolean } = {},
): Promise<Response> {
  const form_token = await tokenOf(browser);
  const challenge = await challengeIn(
    await sendJson(browser, `${ADDRESS}/options`, { form_token, proof: password }),
  );
  const answer = key.create(challenge, { rpId: "localhost", origin: browser.origin, ...lie });
  return await sendJson(browser, `${ADDRESS}/add`, { form_token, name: "My key", answer });
}

/** Returns the sign-in form's fields and a challenge for its browser. */
async function challenged(browser: Browser, path = "/sign-in") {
  const { hidden } = await formOf(await browser.get(path));
  return {
    hidden,
    challenge: await challengeIn(await sendJson(browser, "/sign-in/passkey/options", hidden)),
  };
}

async function withPasskey(
  the: World,
): Promise<{ key: Authenticator; honest: { origin: string; rpId: string } }> {
  const key = new Authenticator();
  const added = await add(await the.signedIn(), the.person.password, key);
  assert.equal(added.status, 200, await added.text());
  return { key, honest: { origin: the.authUrl, rpId: "localhost" } };
}

/** Returns how many rows each table has. */
async function rowsOf(the: World): Promise<Record<string, string>> {
  const rows = await the.sql<{ name: string; rows: string }>(
    `SELECT table_name AS name,
       (xpath('//n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I.%I', table_schema, table_name), false, true, '')))[1]::text AS rows
     FROM information_schema.tables WHERE table_schema IN ('leadgate', 'store') AND table_type = 'BASE TABLE'`,
  );
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
}

const hasSession = (answer: Response) =>
  answer.headers.getSetCookie().some((line) => line.startsWith("leadgate_session="));

test("a passkey is added with the password, signs in with both factors, leads back, and is removed with the password", async () => {
  await using the = await world({ alone: true });
  const home = await the.signedIn();
  await setUpApp(home, the.person.password);
  const { id, password } = the.person;
  const form_token = await tokenOf(home);
  assert.equal((await sendJson(home, `${ADDRESS}/options`, { form_token, proof: "wrong one" })).status, 403);
  const key = new Authenticator();
  assert.equal((await add(home, password, key)).status, 200);
  assert.match(await (await home.get(ADDRESS)).text(), /<bdi>My key<\/bdi>.*\n.*since [^<]+, not used yet</);
  const app = await Application.register(the);
  const browser = the.browser();
  const { hidden, challenge } = await challenged(browser, app.address());
  const answer = key.get(challenge, { origin: the.authUrl, userHandle: id });
  const entered = await sendJson(browser, "/sign-in/passkey", { ...hidden, answer });
  assert.deepEqual([entered.status, await entered.json()], [200, { to: app.address() }]);
  assert.ok(hasSession(entered));
  assert.match(await (await home.get(ADDRESS)).text(), /since [^<]+, last used [^<]+\d</);
  assert.deepEqual((await auditOf(the, id)).at(-1)?.data, { method: "passkey", second_factor: "passkey" });
  const credential = key.id.toString("base64url");
  assert.equal((await act(home, ADDRESS, { id: credential, proof: "wrong one" })).status, 403);
  assert.equal((await act(home, ADDRESS, { id: credential, proof: password })).status, 303);
  assert.equal((await act(home, ADDRESS, { id: credential, proof: password })).status, 404);
  const again = await challenged(browser);
  const gone = await sendJson(browser, "/sign-in/passkey", {
    ...again.hidden,
    answer: key.get(again.challenge, { origin: the.authUrl }),
  });
  assert.equal(gone.status, 401);
  const actions = (await auditOf(the, id)).map(({ action }) => action);
  for (const action of ["person.passkey_added", "person.passkey_removed"])
    assert.ok(actions.includes(action));
});

test("a challenge is answered once, in time, and only by the browser that asked", async () => {
  await using the = await world();
  const { key, honest } = await withPasskey(the);
  const browser = the.browser();
  const { hidden, challenge } = await challenged(browser);
  const answer = key.get(challenge, honest);
  const other = the.browser();
  const theirs = await challenged(other);
  assert.equal((await sendJson(other, "/sign-in/passkey", { ...theirs.hidden, answer })).status, 401);
  const racing = await Promise.all(
    [1, 2, 3].map(() => sendJson(browser, "/sign-in/passkey", { ...hidden, answer })),
  );
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 401, 401]);
  const late = await challenged(browser);
  await setAhead(the, "6 minutes");
  const over = await sendJson(browser, "/sign-in/passkey", {
    ...late.hidden,
    answer: key.get(late.challenge, honest),
  });
  assert.equal(over.status, 401);
});

test("asking for challenges stores nothing, however often, and each of them still works once", async () => {
  await using the = await world();
  const { key, honest } = await withPasskey(the);
  const browser = the.browser();
  const { hidden, challenge } = await challenged(browser);
  const before = await rowsOf(the);
  const path = "/sign-in/passkey/options";
  for (let turn = 0; turn < 20; turn += 1) {
    const asked = await Promise.all(Array.from({ length: 20 }, () => sendJson(browser, path, hidden)));
    assert.ok(asked.every(({ status }) => status === 200));
  }
  assert.deepEqual(await rowsOf(the), before, "400 calls left no row in any table");
  const home = await the.signedIn();
  const signedIn = await rowsOf(the);
  const proof = { form_token: await tokenOf(home), proof: the.person.password };
  assert.equal((await sendJson(home, `${ADDRESS}/options`, proof)).status, 200);
  const { sign_in_failure: _proofs, ...rest } = await rowsOf(the);
  const { sign_in_failure: _sign, ...others } = signedIn;
  assert.deepEqual(rest, others, "nor does a challenge for a new passkey");
  const answer = key.get(challenge, honest);
  const statuses: number[] = [];
  for (let turn = 0; turn < 3; turn += 1)
    statuses.push((await sendJson(browser, "/sign-in/passkey", { ...hidden, answer })).status);
  assert.deepEqual(statuses, [200, 401, 401]);
});

test("a used challenge is remembered only until it would have expired", async () => {
  await using the = await world({ alone: true });
  const { key, honest } = await withPasskey(the);
  const browser = the.browser();
  const { hidden, challenge } = await challenged(browser);
  const answer = key.get(challenge, honest);
  assert.equal((await sendJson(browser, "/sign-in/passkey", { ...hidden, answer })).status, 200);
  const marks = () => the.sql("SELECT hash FROM passkey_challenge");
  assert.equal((await marks()).length, 2, "the new passkey's, and the sign-in's");
  await sweepChallenges(the.service);
  assert.equal((await marks()).length, 2);
  await setAhead(the, "6 minutes");
  await sweepChallenges(the.service);
  assert.deepEqual(await marks(), []);
  assert.equal((await sendJson(browser, "/sign-in/passkey", { ...hidden, answer })).status, 401);
});

test("a challenge that we did not make, for longer, for another purpose, or from before a restored backup, is refused", async () => {
  await using the = await world();
  const { key, honest } = await withPasskey(the);
  const browser = the.browser();
  const { hidden, challenge } = await challenged(browser);
  const [random = "", epoch = "", until = "", mac = ""] = Buffer.from(challenge, "base64url")
    .toString()
    .split(".");
  const later = `${Number(until) + 86_400_000}`;
  const home = await the.signedIn();
  const proof = { form_token: await tokenOf(home), proof: the.person.password };
  const forPasskey = await challengeIn(await sendJson(home, `${ADDRESS}/options`, proof));
  const forged = [
    ["never given out"],
    [random, epoch, later, mac],
    ["0".repeat(64), epoch, until, mac],
    [random, `${Number(epoch) + 1}`, until, mac],
    [random, epoch, until, "0".repeat(64)],
    [random, epoch, until, `${mac}\0`],
  ].map((parts) => Buffer.from(parts.join(".")).toString("base64url"));
  for (const made of [...forged, forPasskey, ""]) {
    const answer = key.get(made, honest);
    assert.equal((await sendJson(browser, "/sign-in/passkey", { ...hidden, answer })).status, 401, made);
  }
  await endEverything(the.service);
  const answer = key.get(challenge, honest);
  assert.equal((await sendJson(browser, "/sign-in/passkey", { ...hidden, answer })).status, 401);
  const fresh = await challenged(browser);
  const entered = await sendJson(browser, "/sign-in/passkey", {
    ...fresh.hidden,
    answer: key.get(fresh.challenge, honest),
  });
  assert.equal(entered.status, 200);
});

test("challenges are signed by the newest key, and those of any key that the service knows are answered", async () => {
  const [older, newer] = ["b".repeat(64), "c".repeat(64)];
  await using first = await world({ env: { SECRET_KEY: older } });
  const { key, honest } = await withPasskey(first);
  const { secretKeys } = first.service.config;
  const tried = async (asking: string[], answering: string[]) => {
    const browser = first.browser();
    first.service.config.secretKeys = asking;
    const { hidden, challenge } = await challenged(browser);
    first.service.config.secretKeys = answering;
    // the form's own token is made of the keys that answer, so that only the challenge decides
    const form = await formOf(await browser.get("/sign-in"));
    assert.notEqual(hidden.form_token, "");
    return (
      await sendJson(browser, "/sign-in/passkey", { ...form.hidden, answer: key.get(challenge, honest) })
    ).status;
  };
  assert.deepEqual(secretKeys, [older]);
  assert.equal(await tried([older], [newer, older]), 200);
  assert.equal(await tried([newer, older], [newer]), 200);
  assert.equal(await tried([newer, older], [older]), 401);
});

test("an answer for another origin, another host, another person or without verification is refused", async () => {
  await using the = await world();
  const { key, honest } = await withPasskey(the);
  const mallory = await the.newPerson("Mallory");
  const browser = the.browser();
  for (const lie of [
    { ...honest, origin: "https://evil.example" },
    { ...honest, rpId: "evil.example" },
    { ...honest, verified: false },
    { ...honest, userHandle: mallory.id },
  ]) {
    const { hidden, challenge } = await challenged(browser);
    const refused = await sendJson(browser, "/sign-in/passkey", {
      ...hidden,
      answer: key.get(challenge, lie),
    });
    assert.equal(refused.status, 401, JSON.stringify(lie));
    assert.ok(!hasSession(refused));
  }
  const { hidden, challenge } = await challenged(browser);
  const stranger = new Authenticator();
  const forged = {
    ...stranger.get(challenge, honest),
    id: key.id.toString("base64url"),
    rawId: key.id.toString("base64url"),
  };
  assert.equal((await sendJson(browser, "/sign-in/passkey", { ...hidden, answer: forged })).status, 401);
  const failures = (await auditOf(the, the.person.id, 7)).filter(
    ({ action }) => action === "person.sign_in_failed",
  );
  assert.equal(failures.length, 5);
  assert.ok(failures.every(({ data }) => data.reason === "passkey"));
});

test("a counter that does not grow means a copied passkey: refused, and audited", async () => {
  await using the = await world();
  const { key, honest } = await withPasskey(the);
  const browser = the.browser();
  const statuses: number[] = [];
  for (const counter of [5, 5, 4, 0, 6]) {
    key.counter = counter;
    const { hidden, challenge } = await challenged(browser);
    const answer = key.get(challenge, honest);
    statuses.push((await sendJson(browser, "/sign-in/passkey", { ...hidden, answer })).status);
  }
  assert.deepEqual(statuses, [200, 401, 401, 401, 200]);
  const copied = (await auditOf(the, the.person.id)).filter(
    ({ action }) => action === "person.passkey_copied",
  );
  assert.deepEqual(
    copied.map(({ data }) => data.counter),
    [5, 4, 0],
  );
});

test("a person cannot add, take over or remove another person's passkey", async () => {
  await using the = await world({ alone: true });
  const { key } = await withPasskey(the);
  const mallory = await the.newPerson("Mallory");
  const theirs = await the.signedIn(mallory);
  assert.equal((await add(theirs, mallory.password, key)).status, 409);
  const taken = await act(theirs, ADDRESS, { id: key.id.toString("base64url"), proof: mallory.password });
  assert.equal(taken.status, 404);
  const mine = await the.signedIn();
  const [my, their] = [await tokenOf(mine), await tokenOf(theirs)];
  const { password } = the.person;
  const challenge = await challengeIn(
    await sendJson(mine, `${ADDRESS}/options`, { form_token: my, proof: password }),
  );
  const answer = new Authenticator().create(challenge, { origin: the.authUrl });
  assert.equal(
    (await sendJson(theirs, `${ADDRESS}/add`, { form_token: their, name: "Stolen", answer })).status,
    400,
  );
  assert.equal(
    (await sendJson(theirs, `${ADDRESS}/add`, { form_token: my, name: "Stolen", answer })).status,
    403,
  );
  const [owner] = await the.sql<{ person: string }>("SELECT person_id AS person FROM passkey");
  assert.equal(owner?.person, the.person.id);
});

test("a person has at most 20 passkeys, also with challenges from before, and when they are added at once", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const form_token = await tokenOf(browser);
  const ask = () => sendJson(browser, `${ADDRESS}/options`, { form_token, proof: the.person.password });
  const challenges: string[] = [];
  while (challenges.length < 22) challenges.push(await challengeIn(await ask()));
  const answers = await Promise.all(
    challenges.map((challenge) => {
      const answer = new Authenticator().create(challenge, { rpId: "localhost", origin: browser.origin });
      return sendJson(browser, `${ADDRESS}/add`, { form_token, name: "Spare key", answer });
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 20);
  for (const refused of answers.filter(({ status }) => status !== 200)) {
    assert.equal(refused.status, 409);
    assert.match(await refused.text(), /You have 20 passkeys\. Remove one first\./);
  }
  assert.equal((await the.sql("SELECT FROM passkey")).length, 20);
  assert.equal((await ask()).status, 409);
});

test("a new passkey needs its own challenge, our origin and a device that verifies its person", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const { password } = the.person;
  assert.equal(
    (await add(browser, password, new Authenticator(), { origin: "https://evil.example" })).status,
    400,
  );
  assert.equal((await add(browser, password, new Authenticator(), { verified: false })).status, 400);
  const { challenge } = await challenged(the.browser());
  const answer = new Authenticator().create(challenge, { origin: the.authUrl });
  const form_token = await tokenOf(browser);
  const borrowed = await sendJson(browser, `${ADDRESS}/add`, { form_token, name: "Borrowed", answer });
  assert.equal(borrowed.status, 400, "a challenge of the sign-in makes no passkey");
  assert.deepEqual(await the.sql("SELECT FROM passkey"), []);
});

test("foreign pages, forged tokens and broken bodies get an answer in JSON, and nothing happens", async () => {
  await using the = await world();
  const browser = the.browser();
  const { hidden } = await challenged(browser);
  const path = "/sign-in/passkey/options";
  assert.equal((await sendJson(browser, path, hidden, { Origin: "https://evil.example" })).status, 403);
  assert.equal((await sendJson(browser, path, hidden, { "Sec-Fetch-Site": "cross-site" })).status, 403);
  assert.equal((await sendJson(browser, path, { ...hidden, to: "/connected-apps" })).status, 403);
  assert.equal((await sendJson(browser, path, hidden, { "Content-Type": "text/plain" })).status, 415);
  const response = { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA" };
  const hostile = [
    {},
    { ...hidden },
    { ...hidden, answer: null },
    { ...hidden, answer: { id: "a\0b", rawId: "a\0b", type: "public-key", response } },
    { ...hidden, answer: { id: "AAAA", rawId: "AAAA", type: "password", response } },
    { ...hidden, answer: { id: "A".repeat(30_000), rawId: "AAAA", type: "public-key", response } },
  ];
  for (const body of hostile) {
    const refused = await sendJson(browser, "/sign-in/passkey", body);
    assert.equal(refused.status, 400);
    assert.match(refused.headers.get("content-type") ?? "", /^application\/json/);
  }
  const garbled = { ...hidden, answer: { id: "AAAA", rawId: "AAAA", type: "public-key", response } };
  const told = await sendJson(browser, "/sign-in/passkey", garbled, { "Accept-Language": "pt-BR" });
  assert.equal(told.status, 401);
  assert.match(((await told.json()) as { message: string }).message, /chave de acesso não funcionou/);
});

test("in a real browser a person adds a passkey, signs out, and comes back with it alone", async () => {
  await using the = await world();
  const chromium = await realBrowser();
  try {
    const page = await (await chromium.newContext()).newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (line) => {
      if (line.type() === "error" && /content security|refused/i.test(line.text()))
        problems.push(line.text());
    });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("WebAuthn.enable");
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${the.authUrl}/sign-in?to=${ADDRESS}`);
    await page.fill("#email", the.person.email);
    await page.fill("#password", the.person.password);
    await page.click("button.primary");
    await page.waitForSelector("form[data-passkey=add]:not([hidden])");
    await page.fill("input[name=name]", "Laptop");
    await page.fill("form[data-passkey=add] input[name=proof]", "wrong one");
    await page.click("[data-passkey-start]");
    await page.waitForSelector("[data-passkey-problem]:not([hidden])");
    assert.match((await page.textContent("[data-passkey-problem]")) ?? "", /not your password/);
    await page.fill("form[data-passkey=add] input[name=proof]", the.person.password);
    await page.click("[data-passkey-start]");
    await page.waitForSelector("main li bdi");
    assert.equal(await page.textContent("main li bdi"), "Laptop");
    await page.click("button[popovertarget=self]");
    await page.click("form[action='/sign-out'] button");
    await page.waitForURL("**/sign-in");
    const app = await Application.register(the, { client_name: "Acme" });
    await page.goto(the.authUrl + app.address());
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await page.click("[data-passkey-start]");
    await page.waitForSelector("[data-passkey-problem]:not([hidden])");
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await page.click("[data-passkey-start]");
    await page.waitForSelector("button[value=approve]");
    assert.equal(page.url(), the.authUrl + app.address());
    assert.deepEqual(problems, []);
    const plain = await (await chromium.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(`${the.authUrl}/sign-in`);
    assert.equal(
      await plain.isVisible("[data-passkey-start]"),
      false,
      "without script there is no such button",
    );
  } finally {
    await chromium.close();
  }
});

test("signing in with a passkey works as usual for an account whose throttle is full", async () => {
  const limits = JSON.stringify({ registration: { perHour: 10_000 }, signIn: { perMinute: 1, burst: 2 } });
  await using the = await world({ env: { LIMITS: limits } });
  const { key, honest } = await withPasskey(the);
  const browser = the.browser();
  for (let turn = 0; turn < 4; turn += 1)
    await attempt(browser, { email: the.person.email, password: "wrong one" });
  const { hidden, challenge } = await challenged(browser);
  const entered = await sendJson(browser, "/sign-in/passkey", {
    ...hidden,
    answer: key.get(challenge, honest),
  });
  assert.equal(entered.status, 200, "signatures cannot be guessed, so they are not throttled");
});
