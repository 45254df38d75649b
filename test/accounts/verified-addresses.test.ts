import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate } from "../../src/db/migrate.ts";
import { formOf } from "../browser.ts";
import { earlier } from "../citus/earlier.ts";
import { type World, world } from "../world.ts";
import { invite, isVerified, join, membersOf, resetLinkFor } from "./support/invited.ts";
import { linkIn, mailbox } from "./support/mailbox.ts";
import { auditOf } from "./support/signing-in.ts";
import { isIn, read, send } from "./support/visiting.ts";

const VICTIM = "ceo@victim.test";
const THEIRS = "the sentence of somebody else";
const OWN = "the sentence of the owner";

/** Somebody else's account for the victim's address: made with an invitation's link that was shown. */
async function squat(the: World) {
  const { link } = await invite(the, await the.signedIn(), VICTIM);
  const browser = the.browser();
  assert.equal((await join(browser, link, THEIRS, "The CEO")).status, 303);
  return browser;
}

test("where mail is configured, no answer shows an invitation's link, and none depends on whether the address has an account", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const owner = await the.signedIn();
  const known = await the.newPerson("Known");
  const answers: string[] = [];
  for (const email of [known.email, "unknown@example.org"]) {
    const { page } = await invite(the, owner, email);
    const { text } = await mail.letter(email, /You have been invited/);
    const [secret = "?"] = /lgi_\w+/.exec(text) ?? [];
    assert.match(page, /The link is on its way to this address by e-mail/);
    const later = await (await owner.get(membersOf(the))).text();
    for (const shown of [page, later]) assert.ok(!/lgi_|new-link/.test(shown) && !shown.includes(secret));
    await send(owner, /action="([^"]+\/withdraw)"/.exec(later)?.[1] ?? "");
    answers.push(page.replaceAll(email, "EMAIL").replace(/inv_\w+/g, "ID"));
  }
  assert.equal(answers[0], answers[1]);
});

test("an account is verified if the link that made it was only mailed, and unverified if it was shown", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  await using quiet = await world();
  await invite(the, await the.signedIn(), VICTIM);
  const mailed = linkIn(await mail.letter(VICTIM, /You have been invited/));
  assert.equal((await join(the.browser(), mailed, OWN)).status, 303);
  assert.equal(await isVerified(the, VICTIM), true);
  await squat(quiet);
  assert.equal(await isVerified(quiet, VICTIM), false);
});

test("members whose address is not confirmed are marked, and their account page says how to confirm it", async () => {
  await using the = await world({ alone: true });
  const browser = await squat(the);
  const members = await read(await (await the.signedIn()).get(membersOf(the)));
  assert.equal(members.match(/e-mail not confirmed/g)?.length, 1);
  assert.match(members, /The CEO e-mail not confirmed ceo@victim\.test/);
  const account = await read(await browser.get("/account"));
  assert.match(account, /Your e-mail address is not confirmed.*Ask the operator/);
  assert.doesNotMatch(await read(await (await the.signedIn()).get("/account")), /not confirmed/);
  const claim = await resetLinkFor(the, VICTIM);
  await the.browser().post(claim, { password: OWN });
  assert.doesNotMatch(await read(await (await the.signedIn()).get(membersOf(the))), /not confirmed/);
});

test("an unverified person has a link mailed to the address, and whoever opens it owns the account", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const [person] = await the.sql<{ id: string }>(
    "UPDATE person SET verified_at = NULL WHERE id = $1 RETURNING id",
    [the.person.id],
  );
  assert.ok(person);
  const browser = await the.signedIn();
  assert.match(await read(await browser.get("/account")), /not confirmed.*Send me the link/);
  const asked = await send(browser, "/account/proof");
  assert.equal(asked.headers.get("location"), "/account?done=proof");
  const link = linkIn(await mail.letter(the.person.email, /Set a new password/));
  assert.equal((await the.browser().post(link, { password: OWN })).status, 200);
  assert.ok(!(await isIn(browser)));
  assert.equal(await isVerified(the, the.person.email), true);
  await mail.letter(the.person.email, /Your e-mail address is confirmed/);
  const again = await the.signedIn({ ...the.person, password: OWN });
  await mail.letter(the.person.email, /New sign-in/);
  await send(again, "/account/proof");
  const invited = await invite(the, again, "n@example.org");
  assert.ok(invited.page);
  await mail.letter("n@example.org", /invited/);
  assert.deepEqual(mail.letters, [], "a verified person is sent nothing");
});

test("a forgotten password can be asked for on an unverified account, and its link claims it", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  await the.sql("UPDATE person SET verified_at = NULL");
  const before = await the.signedIn();
  const visitor = the.browser();
  const form = await formOf(await visitor.get("/forgot"));
  await visitor.post("/forgot", { ...form.hidden, email: the.person.email });
  const link = linkIn(await mail.letter(the.person.email, /Set a new password/));
  const page = await visitor.get(link);
  assert.match(await read(page), /nobody had proved that this e-mail address is theirs/);
  assert.ok(await isIn(before), "opening the page alone changes nothing");
  const done = await visitor.post(link, { password: OWN });
  assert.match(await read(done), /The account is yours, and your e-mail address is confirmed/);
  assert.equal(await isVerified(the, the.person.email), true);
  assert.ok(!(await isIn(before)));
});

test("a mailed invitation that its owner opens claims the account that somebody else made for the address", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const [shown] = await the.sql<{ id: string }>("SELECT id FROM person WHERE email = $1", [VICTIM]);
  assert.equal(shown, undefined);
  const earlier = await the.newPerson("The CEO");
  await the.sql("UPDATE person SET email = $2, verified_at = NULL WHERE id = $1", [earlier.id, VICTIM]);
  const squatter = await the.signedIn({ ...earlier, email: VICTIM });
  await invite(the, await the.signedIn(), VICTIM.toUpperCase(), "viewer");
  const link = linkIn(await mail.letter(VICTIM, /You have been invited/));
  const visitor = the.browser();
  assert.match(await read(await visitor.get(link)), /Take over your account There is already an account/);
  const joined = await join(visitor, link, OWN, "The Owner");
  assert.equal(joined.headers.get("location"), `/projects/${the.project.id}`);
  assert.ok(await isIn(visitor));
  assert.ok(!(await isIn(squatter)));
  assert.equal(await isVerified(the, VICTIM), true);
  const members = await read(await (await the.signedIn()).get(membersOf(the)));
  assert.match(members, /The Owner ceo@victim\.test/);
  const again = await the.browser().signIn({ email: VICTIM, password: earlier.password });
  assert.equal(again.status, 401);
  const actions = (await auditOf(the, earlier.id)).map(({ action }) => action);
  assert.ok(actions.includes("person.claimed"));
  await mail.letter(VICTIM, /Your e-mail address is confirmed/);
});

test("a claim by invitation succeeds where the earlier holder is a member already, with the role that they had", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  await invite(the, await the.signedIn(), VICTIM, "viewer");
  const link = linkIn(await mail.letter(VICTIM, /You have been invited/));
  const earlier = await the.newPerson("The CEO");
  await the.join(earlier, the.project.id, "editor");
  await the.sql("UPDATE person SET email = $2, verified_at = NULL WHERE id = $1", [earlier.id, VICTIM]);
  assert.equal((await join(the.browser(), link, OWN)).status, 303);
  assert.equal(await isVerified(the, VICTIM), true);
  const [membership] = await the.sql<{ role: string }>("SELECT role FROM membership WHERE person_id = $1", [
    earlier.id,
  ]);
  assert.equal(membership?.role, "editor");
});

test("the link of an invitation that was shown does not tell whether the address has an account; creating one twice is refused with advice", async () => {
  await using the = await world();
  const owner = await the.signedIn();
  const known = await the.newPerson("Known");
  const pages = await Promise.all(
    [known.email, "unknown@example.org"].map(async (email) => {
      const { link } = await invite(the, owner, email);
      const page = await (await the.browser().get(link)).text();
      return page
        .replaceAll(email, "EMAIL")
        .replace(/lgi_\w+/g, "LINK")
        .replace(/name="form_token" value="[^"]+"/, "");
    }),
  );
  assert.equal(pages[0], pages[1]);
  assert.match(pages[0] ?? "", /Create account and accept.*Sign in to accept/s);
  const { link } = await invite(the, owner, known.email);
  const refused = await join(the.browser(), link, THEIRS);
  assert.equal(refused.status, 409);
  assert.match(await read(refused), /already exists\. Sign in to accept the invitation; if you do not know/);
  assert.equal((await the.browser().signIn(known)).status, 303);
  assert.equal((await the.browser().get(link)).status, 200, "the link still works");
});

test("a shown link never claims an account, and a mailed one never replaces a verified one", async () => {
  await using the = await world({ alone: true });
  await squat(the);
  const other = await the.newPerson("Other");
  const there = { ...the, project: await the.newProject(other, "Another") };
  const { link } = await invite(there, await the.signedIn(other), VICTIM);
  assert.equal((await join(the.browser(), link, OWN)).status, 409);
  assert.equal(await isVerified(the, VICTIM), false);
  await using mail = await mailbox();
  await using mailing = await world({ env: { SMTP_URL: mail.url } });
  const known = await mailing.newPerson("Known");
  const visitor = mailing.browser();
  await invite(mailing, await mailing.signedIn(), "n@example.org");
  const free = linkIn(await mail.letter("n@example.org", /invited/));
  const { hidden } = await formOf(await visitor.get(free));
  await invite(mailing, await mailing.signedIn(), known.email);
  const mailed = linkIn(await mail.letter(known.email, /invited/));
  assert.ok(
    !(await (await visitor.get(mailed)).text()).includes("new-password"),
    "it offers signing in only",
  );
  const forced = await visitor.post(mailed, { ...hidden, name: "Mallory", password: OWN });
  assert.equal(forced.status, 409);
  assert.equal((await mailing.browser().signIn(known)).status, 303);
});

test("a signed-in person who accepts a mailed invitation stays unverified: the session may be somebody else's", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const earlier = await the.newPerson("The CEO");
  await the.sql("UPDATE person SET email = $2, verified_at = NULL WHERE id = $1", [earlier.id, VICTIM]);
  const browser = await the.signedIn({ ...earlier, email: VICTIM });
  await invite(the, await the.signedIn(), VICTIM);
  const link = linkIn(await mail.letter(VICTIM, /You have been invited/));
  assert.equal((await send(browser, `${link}/accept`)).status, 303);
  assert.equal(await isVerified(the, VICTIM), false);
});

test("without SMTP, the holder of an unverified account cannot end the link that the operator printed to claim it", async () => {
  await using the = await world({ alone: true });
  const browser = await squat(the);
  const claim = await resetLinkFor(the, VICTIM);
  await the.sql(`UPDATE reset_link SET created_at = ${earlier("created_at", "interval '2 minutes'")}`);
  await send(browser, "/account/proof");
  assert.equal((await the.browser().post(claim, { password: OWN })).status, 200);
  assert.ok(!(await isIn(browser)));
});

test("accounts and open invitations of before count as verified and as shown", async () => {
  await using the = await world({ alone: true });
  const { link } = await invite(the, await the.signedIn(), VICTIM);
  await the.sql("ALTER TABLE leadgate.person DROP verified_at");
  await the.sql("DROP VIEW leadgate.invitation");
  await the.sql("ALTER TABLE store.invitation DROP mailed");
  await the.sql("SELECT leadgate.wall('invitation')");
  const names = ["0020_verified_addresses.sql", "0021_mailed_invitations.sql"];
  await the.sql("DELETE FROM leadgate.migration WHERE name = ANY($1)", [names]);
  assert.deepEqual(await migrate(the.databaseUrl), names);
  assert.equal(await isVerified(the, the.person.email), true);
  assert.equal((await join(the.browser(), link, THEIRS)).status, 303);
  assert.equal(await isVerified(the, VICTIM), false);
});

test("an address that only looks like another one by its capital letters is not accepted", async () => {
  await using the = await world();
  // the Kelvin sign, whose small letter is the k of ASCII
  const answer = await send(await the.signedIn(), `${membersOf(the)}/invite`, {
    email: "\u212aim@victim.test",
    role: "editor",
  });
  assert.equal(answer.status, 400);
});
