import assert from "node:assert/strict";
import { test } from "node:test";
import { perform } from "../../src/domain/operation/operation.ts";
import { inviteMember } from "../../src/domain/projects/invitations/invite-member.ts";
import { Browser } from "../browser.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { age, cluster, untilSigning } from "../oauth/support/instances.ts";
import { type World, world } from "../world.ts";
import { mailbox } from "./support/mailbox.ts";
import { read, send } from "./support/visiting.ts";

const limited = (invitations: object | null, env: Record<string, string> = {}) =>
  world({ env: { LIMITS: JSON.stringify({ invitations }), ...env } });

const invite = (browser: Browser, projectId: string, email: string): Promise<Response> =>
  send(browser, `/projects/${projectId}/settings/members/invite`, { email, role: "viewer" });

/** Sends invitations at the same time; returns the number of each status. */
async function race(tries: Array<Promise<Response>>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(tries)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const addresses = (count: number, host: string) =>
  Array.from({ length: count }, (_, at) => `guest-${at}@${host}`);

/** Lets hits of the past move back by so many seconds, as if that time had passed. */
const pass = (the: World, seconds: number) =>
  the.sql("UPDATE recent_hit SET at = at - make_interval(secs => $1)", [seconds]);

test("a person sends at most twenty invitations an hour in all of their projects, however many race", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const second = await the.newProject(the.person, "Second");
  const tries = addresses(26, "one.example").map((email, at) =>
    invite(browser, at % 2 === 0 ? the.project.id : second.id, email),
  );
  assert.deepEqual(await race(tries), { 200: 20, 429: 6 });
  const stored = await the.sql("SELECT FROM store.invitation");
  assert.equal(stored.length, 20, "a refused invitation is not made");
});

large(
  "the members of a project together send at most so many invitations an hour, on all instances",
  async () => {
    await using the = await limited({ projectPerHour: 5 });
    const other = await instance(the, "all");
    try {
      const admin = await the.newPerson("Adm");
      await the.join(admin, the.project.id, "admin");
      const far = new Browser(other.authUrl);
      await far.signIn(admin);
      const browsers = [await the.signedIn(), far];
      const tries = browsers.flatMap((browser, at) =>
        addresses(5, `side-${at}.example`).map((email) => invite(browser, the.project.id, email)),
      );
      assert.deepEqual(await race(tries), { 200: 5, 429: 5 });
    } finally {
      await other.end("SIGTERM");
    }
    const elsewhere = await the.newProject(the.person, "Elsewhere");
    assert.equal((await invite(await the.signedIn(), elsewhere.id, "x@example.org")).status, 200);
  },
);

test("one recipient gets at most three invitations a day from all projects, however the address is written", async () => {
  await using mail = await mailbox();
  await using the = await limited({}, { SMTP_URL: mail.url });
  const mallory = await the.newPerson("Mallory");
  const project = await the.newProject(mallory, "Another");
  const [one, two] = [await the.signedIn(), await the.signedIn(mallory)];
  const spellings = ["ceo@victim.test", "CEO@VICTIM.test", "ceo+1@victim.test", '"ceo"@victim.test'];
  const tries = spellings.flatMap((email) => [
    invite(one, the.project.id, email),
    invite(two, project.id, email),
  ]);
  assert.deepEqual(await race(tries), { 200: 3, 429: 5 });
  assert.equal((await invite(two, project.id, "cfo@victim.test")).status, 200);
  await mail.letter("cfo@victim.test", /invited/);
  const kept = await the.sql<{ bucket: string }>("SELECT bucket FROM recent_hit");
  assert.ok(kept.length > 0);
  for (const { bucket } of kept) assert.doesNotMatch(bucket, /@|ceo|victim/i, "addresses are not stored");
});

test("a recipient's invitations stay counted while a new key is introduced", async () => {
  const [old, key] = ["0".repeat(64), "f".repeat(64)];
  const env = { LIMITS: '{"invitations":{"recipientPerDay":2}}' };
  await using many = await cluster();
  const late = await many.start(old, { slow: true, env });
  const both = await many.start(`${key},${old}`, { env });
  const status = async (the: World) =>
    (await invite(await the.signedIn(), the.project.id, "ceo@victim.test")).status;
  assert.deepEqual([await status(late), await status(both), await status(both)], [200, 200, 429]);
  await age(both, old);
  await untilSigning(both, key);
  assert.deepEqual([await status(both), await status(late)], [429, 429]);
});

test("without SMTP invitations are limited as well", async () => {
  await using the = await limited({ recipientPerDay: 1 });
  const browser = await the.signedIn();
  assert.equal((await invite(browser, the.project.id, "who@example.org")).status, 200);
  assert.equal((await invite(browser, the.project.id, "Who@Example.org")).status, 429);
});

test("a refused invitation says when to try again, in both languages, and does not lengthen the wait", async () => {
  await using the = await limited({ perHour: 2, recipientPerDay: 1 });
  const browser = await the.signedIn();
  const again = () => invite(browser, the.project.id, "a@example.org");
  assert.equal((await again()).status, 200);
  const day = await again();
  assert.equal(day.status, 429);
  assert.match(
    await read(day),
    /too many invitations by you, in this project, or to this address\. Try again in 24 hours\./,
  );
  const wait = Number(day.headers.get("retry-after"));
  assert.ok(wait > 80_000 && wait <= 86_401, `${wait}`);
  await the.sql("UPDATE person SET locale = 'pt-BR' WHERE id = $1", [the.person.id]);
  for (let turn = 0; turn < 3; turn += 1) assert.equal((await again()).status, 429);
  assert.match(
    await read(await again()),
    /Houve convites demais enviados por você.*Tente de novo em 24 horas\./,
  );
  // refused tries count against no limit: one more of the two in this hour is left
  assert.equal((await invite(browser, the.project.id, "b@example.org")).status, 200);
  const hour = await invite(browser, the.project.id, "c@example.org");
  assert.equal(hour.status, 429);
  assert.match(await read(hour), /Tente de novo em \d+ minutos\./);
  await pass(the, Number(hour.headers.get("retry-after")));
  assert.equal((await invite(browser, the.project.id, "c@example.org")).status, 200);
  await pass(the, Number((await again()).headers.get("retry-after")));
  assert.equal((await again()).status, 200);
});

test("an invitation that is refused for another reason does not count", async () => {
  await using the = await limited({ perHour: 1 });
  const browser = await the.signedIn();
  assert.equal((await invite(browser, the.project.id, the.person.email)).status, 409);
  assert.equal((await invite(browser, the.project.id, "no address")).status, 400);
  assert.equal((await invite(browser, the.project.id, "a@example.org")).status, 200);
  assert.equal((await invite(browser, the.project.id, "b@example.org")).status, 429);
});

test("the command line invites without a limit, and null lifts it for people", async () => {
  await using the = await limited({ perHour: 1, projectPerHour: 1, recipientPerDay: 1 });
  const at = { personId: null, projectId: the.project.id };
  const input = { email: "a@example.org", role: "viewer", locale: "en" } as const;
  for (let turn = 0; turn < 3; turn += 1) await perform(the.service, inviteMember, at, input);
  assert.equal((await invite(await the.signedIn(), the.project.id, input.email)).status, 200);
  await using free = await limited(null);
  const browser = await free.signedIn();
  const tries = Array.from({ length: 25 }, () => invite(browser, free.project.id, "a@example.org"));
  assert.deepEqual(await race(tries), { 200: 25 });
});

test("the answer to an invitation does not tell whether the address has an account", async () => {
  await using mail = await mailbox();
  for (const env of [{}, { SMTP_URL: mail.url }]) {
    await using the = await world({ env });
    const browser = await the.signedIn();
    const known = await the.newPerson("Known");
    const answerTo = async (email: string) => {
      const answer = await invite(browser, the.project.id, email);
      const page = (await answer.text())
        .replaceAll(email, "ADDRESS")
        .replace(/lgi_\w+|inv_\w+|nonce-?="?[\w+/=-]+/g, "SECRET");
      await the.sql("DELETE FROM store.invitation");
      return { status: answer.status, page };
    };
    assert.deepEqual(await answerTo(known.email), await answerTo("nobody@example.org"));
  }
});
