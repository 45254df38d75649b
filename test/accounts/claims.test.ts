import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { hashPassword } from "../../src/domain/accounts/people/password.ts";
import { type Browser, formOf } from "../browser.ts";
import { earlier } from "../citus/earlier.ts";
import { lockWaits } from "../lock-waits.ts";
import { Application, exchange, tokensOf } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";
import { Authenticator } from "./support/authenticator.ts";
import { invite, isVerified, join, membersOf, resetLinkFor } from "./support/invited.ts";
import { linkIn, mailbox } from "./support/mailbox.ts";
import { readyToAdd, readyToEnter } from "./support/passkey-use.ts";
import { act, attempt, codeOf, hiddenIn, secondStep, setUpApp } from "./support/signing-in.ts";
import { isIn, read, send } from "./support/visiting.ts";

const VICTIM = "ceo@victim.test";
const THEIRS = "the sentence of somebody else";
const OWN = "the sentence of the owner";

test("who owns an address claims the account that an inviter made for it: no password, passkey, code, session, link or token of theirs works any more", async () => {
  await using the = await world({ alone: true });
  const { link } = await invite(the, await the.signedIn(), VICTIM, "admin");
  const attacker = the.browser();
  assert.equal((await join(attacker, link, THEIRS, "The CEO")).status, 303);
  const app = await Application.register(the);
  const tokens = await app.tokens(attacker);
  const unused = await app.code(attacker);
  const sent = await invite(the, attacker, "accomplice@evil.test", "admin");
  const key = new Authenticator();
  assert.equal((await (await readyToAdd(attacker, THEIRS, key))()).status, 200);
  const { secret, recovery } = await setUpApp(attacker, THEIRS);
  const late = new Authenticator();
  const addLate = await readyToAdd(attacker, THEIRS, late);
  const waiting = [the.browser(), the.browser()] as const;
  const steps = await Promise.all(
    waiting.map((browser) => attempt(browser, { email: VICTIM, password: THEIRS })),
  );
  const enrolling = hiddenIn(await (await attacker.get("/account/passkeys")).text(), "form_token");

  const claim = await resetLinkFor(the, VICTIM);
  const owner = the.browser();
  const page = await read(await owner.get(claim));
  assert.match(page, /Until now, nobody had proved that this e-mail address is theirs/);
  assert.match(page, /Passkeys They are removed\. Spare key added on/);
  assert.match(page, /It is removed\. Authenticator app, set up on/);
  assert.match(page, /These browsers are signed out\..*127\.0\.0\.1 · last used/);
  assert.equal((await owner.post(claim, { password: OWN })).status, 200);

  assert.ok(!(await isIn(attacker)), "the session");
  assert.equal((await the.browser().signIn({ email: VICTIM, password: THEIRS })).status, 401);
  assert.equal((await (await readyToEnter(the.browser(), key))()).status, 401, "the passkey");
  const [first, second] = steps;
  assert.ok(first !== undefined && second !== undefined);
  const [byCode, byRecovery] = await Promise.all([
    secondStep(waiting[0], first, { code: await codeOf(secret) }),
    secondStep(waiting[1], second, { recovery: recovery[0] ?? "" }),
  ]);
  for (const answer of [byCode, byRecovery]) assert.ok([401, 403].includes(answer.status), "a second step");
  assert.notEqual((await addLate()).status, 200, "a passkey that was being added");
  assert.notEqual(
    (await attacker.post("/account/profile", { form_token: enrolling, name: "x" })).status,
    200,
  );
  assert.equal(await app.isActive(tokens.access), false);
  assert.equal((await app.refresh(tokens.refresh)).status, 400);
  assert.equal((await exchange(the, unused)).status, 400, "an unused code");
  assert.equal((await the.browser().get(sent.link)).status, 404, "an invitation that they sent");
  assert.equal((await owner.get(claim)).status, 404, "the link itself");

  const entered = await owner.signIn({ email: VICTIM, password: OWN });
  assert.equal(entered.status, 303, "no code is asked: the authenticator app was theirs");
  assert.equal((await owner.get(membersOf(the))).status, 200, "the membership stays");
  const log = await read(await owner.get("/account/log"));
  assert.match(log, /The owner of the e-mail address took over/);
  assert.match(log, /Revoked: because the owner of the e-mail address took over the account/);
  const portuguese = await read(await owner.get("/account/log", { "Accept-Language": "pt-BR" }));
  assert.match(portuguese, /Revogado: porque o dono do endereço de e-mail assumiu a conta/);
  assert.match(await read(await owner.get("/account/two-factor")), /It is off/);
  const left = await the.sql("SELECT FROM passkey UNION ALL SELECT FROM recovery_code");
  assert.equal(left.length, 0);
  const revoked = await the.sql<{ why: string }>("SELECT revoked_why AS why FROM store.authorization");
  assert.deepEqual(revoked, [{ why: "claimed" }]);
});

test("what an application was granted before a claim does not let it skip the consent page after it", async () => {
  await using the = await world({ alone: true });
  await the.sql("UPDATE person SET verified_at = NULL");
  const app = await Application.register(the);
  await app.tokens(await the.signedIn());
  await the.browser().post(await resetLinkFor(the, the.person.email), { password: OWN });
  assert.deepEqual(await the.sql("SELECT FROM consent_choice"), []);
});

test("the holder of an unverified account cannot end the link that claims it by changing the password", async () => {
  await using the = await world({ alone: true });
  await the.sql("UPDATE person SET verified_at = NULL");
  const browser = await the.signedIn();
  const claim = await resetLinkFor(the, the.person.email);
  const fields = { present: the.person.password, fresh: THEIRS };
  assert.equal((await send(browser, "/account/password", fields)).status, 303);
  assert.equal((await the.browser().post(claim, { password: OWN })).status, 200);
  assert.ok(!(await isIn(browser)));
  assert.equal((await the.browser().signIn({ email: the.person.email, password: THEIRS })).status, 401);
});

test("a reset on a verified account lists what signs in, keeps the authenticator, and removes passkeys only if asked to", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const { email, password } = the.person;
  const key = new Authenticator();
  assert.equal((await (await readyToAdd(browser, password, key))()).status, 200);
  await setUpApp(browser, password);
  const link = await resetLinkFor(the, email);
  const page = await read(await the.browser().get(link));
  assert.match(page, /Remove all passkeys/);
  assert.match(page, /They still sign in to this account\. Spare key added on/);
  assert.match(
    page,
    /It stays: after the password, you are asked for its code.*Authenticator app, set up on/,
  );
  assert.match(page, /These browsers are signed out/);
  assert.ok(!/<input type="checkbox"[^>]*checked/.test(await (await the.browser().get(link)).text()));
  assert.equal((await the.browser().post(link, { password: OWN })).status, 200);
  assert.ok(!(await isIn(browser)));
  assert.equal((await (await readyToEnter(the.browser(), key))()).status, 200, "the passkey stays");
  assert.equal((await the.browser().signIn({ email, password: OWN })).status, 200, "the code is still asked");
  const again = await resetLinkFor(the, email);
  assert.equal((await the.browser().post(again, { password: THEIRS, passkeys: "end" })).status, 200);
  assert.equal((await (await readyToEnter(the.browser(), key))()).status, 401, "the passkey is gone");
  assert.equal((await the.browser().signIn({ email, password: THEIRS })).status, 200);
  assert.equal(await isVerified(the, email), true);
  const removed = await the.sql("SELECT FROM audit WHERE action = 'person.passkey_removed'");
  assert.equal(removed.length, 1);
});

test("the page of a reset link speaks its person's language", async () => {
  await using the = await world({ alone: true });
  await the.sql("UPDATE person SET locale = 'pt-BR', verified_at = NULL");
  const page = await the.browser().get(await resetLinkFor(the, the.person.email));
  assert.match(await read(page), /Defina uma nova senha.*Até agora, ninguém tinha provado/);
});

test("of two claims at once, by a reset link and by a mailed invitation, one sets the password", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const owner = await the.signedIn();
  for (let round = 0; round < 4; round += 1) {
    const email = `twice-${round}@victim.test`;
    await invite(the, owner, email);
    const invited = linkIn(await mail.letter(email, /You have been invited/));
    const earlier = await the.newPerson("Earlier");
    await the.sql("UPDATE person SET email = $2, verified_at = NULL WHERE id = $1", [earlier.id, email]);
    const reset = await resetLinkFor(the, email);
    const visitor = the.browser();
    const form = await formOf(await visitor.get(invited));
    const [joined, set] = await Promise.all([
      visitor.post(invited, { ...form.hidden, name: "By invitation", password: `${OWN} i` }),
      the.browser().post(reset, { password: `${OWN} r` }),
    ]);
    const entered = await Promise.all(
      ["i", "r"].map((by) => the.browser().signIn({ email, password: `${OWN} ${by}` })),
    );
    assert.deepEqual(entered.map(({ status }) => status).sort(), [303, 401]);
    assert.deepEqual(
      entered.map(({ status }) => status === 303),
      [joined.status === 303, set.status === 200],
    );
    const claims = await the.sql("SELECT FROM audit WHERE action = 'person.claimed' AND person_id = $1", [
      earlier.id,
    ]);
    assert.equal(claims.length, 1);
  }
});

/** An unverified account of a member, with a signed-in browser and the link that claims it. */
async function squatted(the: World, hash: string) {
  const person = await the.newPerson("Squatter");
  await the.join(person, the.project.id, "editor");
  await the.sql("UPDATE person SET verified_at = NULL, password_hash = $2 WHERE id = $1", [person.id, hash]);
  const browser = await the.signedIn({ ...person, password: THEIRS });
  return { person, browser, claim: await resetLinkFor(the, person.email) };
}

const leftOf = async (the: World, personId: string) => {
  const [left] = await the.sql(
    `SELECT (SELECT count(*)::int FROM session WHERE person_id = $1) AS sessions,
       (SELECT count(*)::int FROM passkey WHERE person_id = $1) AS passkeys,
       (SELECT count(*)::int FROM recovery_code WHERE person_id = $1) AS codes,
       (SELECT totp_sealed FROM person WHERE id = $1) AS totp,
       (SELECT count(*)::int FROM store.authorization WHERE person_id = $1 AND revoked_at IS NULL) AS granted,
       (SELECT count(*)::int FROM store.authorization_code WHERE person_id = $1 AND consumed_at IS NULL) AS pending`,
    [personId],
  );
  return left;
};
const NOTHING = { sessions: 0, passkeys: 0, codes: 0, totp: null, granted: 0, pending: 0 };

/** What somebody else does while the owner claims the account. */
const RACES: Record<
  string,
  (the: World, browser: Browser, email: string) => Promise<() => Promise<unknown>>
> = {
  "a sign-in with the old password": async (the, _browser, email) => {
    const visitor = the.browser();
    return () => visitor.signIn({ email, password: THEIRS });
  },
  "a sign-in with a passkey": async (the, browser) => {
    const key = new Authenticator();
    assert.equal((await (await readyToAdd(browser, THEIRS, key))()).status, 200);
    return await readyToEnter(the.browser(), key);
  },
  "a passkey that is added": async (_the, browser) => await readyToAdd(browser, THEIRS, new Authenticator()),
  "an authenticator app that is set up": async (_the, browser) => {
    const begun = await act(browser, "/account/two-factor", { do: "begin", proof: THEIRS });
    const page = await begun.text();
    const secret = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(page)?.[1]?.replaceAll(" ", "") ?? "";
    const fields = {
      form_token: hiddenIn(page, "form_token"),
      enrolment: hiddenIn(page, "enrolment"),
      code: await codeOf(secret),
      do: "confirm",
    };
    return () => browser.post("/account/two-factor", fields);
  },
  "an application that is approved": async (the, browser) => {
    const app = await Application.register(the);
    const form = await formOf(await browser.get(app.address()));
    const fields: Array<[string, string]> = [
      ...Object.entries(form.hidden),
      ["project_id", the.project.id],
      ["scope", "mcp:read"],
      ["decision", "approve"],
    ];
    return () => browser.post(form.action, fields);
  },
  "a code that is exchanged": async (the, browser) => {
    const granted = await (await Application.register(the)).code(browser);
    return () => exchange(the, granted);
  },
  "a refresh": async (the, browser) => {
    const app = await Application.register(the);
    const { refresh } = await tokensOf(await exchange(the, await app.code(browser)));
    return () => app.refresh(refresh);
  },
  "a changed password": async (_the, browser) => {
    const form = hiddenIn(await (await browser.get("/account")).text(), "form_token");
    const fields = { form_token: form, present: THEIRS, fresh: "a third sentence of theirs" };
    return () => browser.post("/account/password", fields);
  },
};

/**
 * Stops a claim after it has ended everything and before it commits: it waits for an invitation's row that this
 * connection holds. Returns what lets it go on.
 */
async function stopClaim(the: World, personId: string): Promise<() => Promise<void>> {
  await the.sql(
    `INSERT INTO store.invitation (project_id, id, hash, email, role, invited_by, expires_at)
     VALUES ($1, 'inv_held', 'x', 'n@example.org', 'viewer', $2, now() + interval '1 day')`,
    [the.project.id, personId],
  );
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM store.invitation WHERE project_id = $1 AND id = 'inv_held' FOR UPDATE", [
    the.project.id,
  ]);
  return async () => {
    await holder.query("COMMIT");
    await holder.end();
  };
}

/** Waits until this many statements of the service wait for a lock. */
async function waiting(the: World, count: number): Promise<void> {
  for (;;) {
    if ((await lockWaits(the)) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

for (const [what, prepare] of Object.entries(RACES)) {
  test(`${what} while the account is claimed leaves nothing behind`, async () => {
    await using the = await world({ alone: true });
    const { person, browser, claim } = await squatted(the, await hashPassword(THEIRS, the.person));
    const strike = await prepare(the, browser, person.email);
    const goOn = await stopClaim(the, person.id);
    const claiming = the.browser().post(claim, { password: OWN });
    await waiting(the, 1);
    const striking = strike();
    await Promise.race([striking, waiting(the, 2)]);
    await goOn();
    assert.equal((await claiming).status, 200);
    await striking;
    assert.deepEqual(await leftOf(the, person.id), NOTHING);
    assert.equal((await the.browser().signIn({ email: person.email, password: OWN })).status, 303);
  });
}

test("a change of address that was requested before a claim leaves no link after it", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const { person, browser, claim } = await squatted(the, await hashPassword(THEIRS, the.person));
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [
    `recent hit new email of ${person.id}`,
  ]);
  const asking = send(browser, "/account/email", { email: "squatter@evil.test", proof: THEIRS });
  await waiting(the, 1);
  assert.equal((await the.browser().post(claim, { password: OWN })).status, 200);
  await holder.end();
  await asking;
  assert.deepEqual(await the.sql("SELECT FROM new_email"), []);
});

test("a reset link that is requested while the account changes its address is not mailed to the former one", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const { person, browser } = await squatted(the, await hashPassword(THEIRS, the.person));
  await send(browser, "/account/email", { email: "squatter@evil.test", proof: THEIRS });
  const change = linkIn(await mail.letter("squatter@evil.test", /Confirm your new e-mail/));
  await the.sql(`UPDATE reset_link SET created_at = ${earlier("created_at", "interval '2 minutes'")}`);
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM leadgate.reset_link WHERE person_id = $1 FOR UPDATE", [person.id]);
  const changing = send(browser, change);
  await waiting(the, 1);
  const asking = send(browser, "/account/proof");
  await waiting(the, 2);
  await holder.query("COMMIT");
  await holder.end();
  assert.equal((await changing).status, 303);
  assert.equal((await asking).status, 303);
  assert.deepEqual(await the.sql("SELECT FROM reset_link"), []);
});
