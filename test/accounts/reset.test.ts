import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../browser.ts";
import { realBrowser } from "../chromium.ts";
import { earlier } from "../citus/earlier.ts";
import { type World, type WorldOptions, world } from "../world.ts";
import { linkIn, type Mailbox, mailbox } from "./support/mailbox.ts";
import { isIn, read, send } from "./support/visiting.ts";

const FRESH = "a wholly new sentence";

const worldWithMail = (mail: Mailbox, options: WorldOptions = {}) =>
  world({ ...options, env: { SMTP_URL: mail.url, ...options.env } });

async function ask(the: World, email: string, headers: Record<string, string> = {}): Promise<Response> {
  const browser = the.browser();
  const form = await formOf(await browser.get("/forgot"));
  return await browser.post("/forgot", { ...form.hidden, email }, headers);
}

const wipePause = (the: World) =>
  the.sql(`UPDATE reset_link SET created_at = ${earlier("created_at", "interval '2 minutes'")}`);

test("a forgotten password is set through a mailed link, once, and every session ends", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const before = await the.signedIn();
  assert.equal((await ask(the, the.person.email.toUpperCase())).status, 200);
  const link = linkIn(await mail.letter(the.person.email, /Set a new password/));
  const page = await the.browser().get(link);
  assert.equal(page.headers.get("referrer-policy"), "no-referrer");
  assert.equal(page.headers.get("cache-control"), "no-store");
  const weak = await the.browser().post(link, { password: "short" });
  assert.equal(weak.status, 400);
  assert.equal(weak.headers.get("referrer-policy"), "no-referrer");
  assert.ok(await isIn(before), "nothing ends before the password is set");
  const done = await the.browser().post(link, { password: FRESH });
  assert.equal(done.status, 200);
  assert.match(await read(done), /Applications that you connected keep their access/);
  assert.ok(!(await isIn(before)));
  assert.equal((await the.browser().post(link, { password: "another sentence" })).status, 404);
  assert.equal((await the.browser().get(link)).status, 404);
  assert.equal((await the.browser().signIn({ email: the.person.email, password: FRESH })).status, 303);
  await mail.letter(the.person.email, /Your password was changed/);
});

test("only the newest link works, and only for an hour", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  await ask(the, the.person.email);
  const first = linkIn(await mail.letter(the.person.email, /Set a new password/));
  await wipePause(the);
  await ask(the, the.person.email);
  const second = linkIn(await mail.letter(the.person.email, /Set a new password/));
  assert.equal((await the.browser().get(first)).status, 404);
  assert.equal((await the.browser().get(second)).status, 200);
  await the.sql("UPDATE reset_link SET expires_at = now()");
  assert.equal((await the.browser().post(second, { password: FRESH })).status, 404);
});

test("of racing requests with one link, one sets the password", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  await ask(the, the.person.email);
  const link = linkIn(await mail.letter(the.person.email, /Set a new password/));
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((at) => the.browser().post(link, { password: `a new sentence ${at}` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404]);
});

test("known and unknown e-mails get the same response; one mail per minute and person, twenty requests per hour and address", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const [known, unknown] = [await ask(the, the.person.email), await ask(the, "nobody@example.org")];
  assert.equal(known.status, unknown.status);
  assert.equal(await known.text(), await unknown.text());
  await mail.letter(the.person.email, /Set a new password/);
  const more = await Promise.all(Array.from({ length: 24 }, () => ask(the, the.person.email)));
  assert.equal(more.filter(({ status }) => status === 200).length, 18);
  const refused = more.find(({ status }) => status === 429);
  assert.equal(refused?.headers.get("retry-after"), "3600");
  assert.equal((await ask(the, "nobody@example.org")).status, 429, "unknown ones are counted alike");
  assert.deepEqual(mail.letters, []);
});

test("without SMTP the page names the command, and the command answers a link that works", async () => {
  await using the = await world({ alone: true });
  const page = await the.browser().get("/forgot");
  assert.match(await read(page), /person reset-password --email/);
  const browser = the.browser();
  assert.equal((await browser.post("/forgot", { email: the.person.email })).status, 200);
});

test("no reset link and no password is stored or audited in the clear", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  await ask(the, the.person.email);
  const link = linkIn(await mail.letter(the.person.email, /Set a new password/));
  const token = link.split("/").at(-1) ?? "";
  const [stored] = await the.sql<{ text: string }>("SELECT reset_link::text AS text FROM reset_link");
  assert.ok(!stored?.text.includes(token));
  await the.browser().post(link, { password: FRESH });
  const audit = await the.sql<{ action: string; text: string }>(
    "SELECT action, audit::text AS text FROM audit",
  );
  assert.ok(audit.some(({ action }) => action === "person.password_reset"));
  assert.ok(audit.every(({ text }) => !text.includes(token) && !text.includes(FRESH)));
});

test("a reset leaves the second factor and the passkeys unchanged", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  await the.sql("UPDATE person SET totp_sealed = 'sealed', totp_since = now() WHERE id = $1", [
    the.person.id,
  ]);
  await ask(the, the.person.email);
  const link = linkIn(await mail.letter(the.person.email, /Set a new password/));
  await the.browser().post(link, { password: FRESH });
  const [person] = await the.sql<{ totp: string }>("SELECT totp_sealed AS totp FROM person");
  assert.equal(person?.totp, "sealed");
  const browser = the.browser();
  await browser.signIn({ email: the.person.email, password: FRESH });
  assert.ok(!(await isIn(browser)), "the code is still asked");
});

test("a changed password ends the open reset link", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  await ask(the, the.person.email);
  const link = linkIn(await mail.letter(the.person.email, /Set a new password/));
  const browser = await the.signedIn();
  await send(browser, "/account/password", { present: the.person.password, fresh: FRESH });
  assert.equal((await the.browser().get(link)).status, 404);
});

test("a reset link works in a real browser, and is sent on to no address", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  await ask(the, the.person.email);
  const link = linkIn(await mail.letter(the.person.email, /Set a new password/));
  const chromium = await realBrowser();
  try {
    const page = await chromium.newPage();
    const referers: Array<string | undefined> = [];
    page.on("request", (request) => referers.push(request.headers().referer));
    await page.goto(the.authUrl + link);
    await page.fill("[name=password]", FRESH);
    await page.click("button.primary");
    await page.getByText("Your new password is set").waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.fill("#email", the.person.email);
    await page.fill("#password", FRESH);
    await page.click("button.primary");
    await page.waitForURL("**/dashboard");
    assert.ok(referers.every((referer) => referer?.includes("/reset/") !== true));
  } finally {
    await chromium.close();
  }
});
