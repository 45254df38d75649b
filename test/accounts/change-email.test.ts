import assert from "node:assert/strict";
import { test } from "node:test";
import { sweepEmailLinks } from "../../src/domain/accounts/change-email.ts";
import { offerReset } from "../../src/domain/accounts/reset-link.ts";
import { endEverything } from "../../src/domain/upkeep/end-everything.ts";
import { type Browser, formOf } from "../browser.ts";
import { realBrowser } from "../chromium.ts";
import { setAhead } from "../oauth/support/clock.ts";
import { type World, world } from "../world.ts";
import { linkIn, type Mailbox, mailbox } from "./support/mailbox.ts";
import { codeOf, hiddenIn, setUpApp } from "./support/signing-in.ts";
import { isIn, read, send } from "./support/visiting.ts";

const ADDRESS = "/account/email";
const NEW = "ada@new.example";
const LINK = /Confirm your new e-mail address/;

const worldWithMail = (mail: Mailbox, env: Record<string, string> = {}) =>
  world({ env: { SMTP_URL: mail.url, ...env } });

/** The mails that came, apart from those about the sign-ins of the test. */
const besidesSignIns = ({ letters }: Mailbox) =>
  letters.filter(({ subject }) => subject !== "New sign-in to your account");

const ask = (browser: Browser, email: string, proof: string) => send(browser, ADDRESS, { email, proof });

/** Asks for a new address and returns the mailed link. */
async function linkFor(the: World, mail: Mailbox, browser: Browser, email = NEW, who = the.person) {
  const asked = await ask(browser, email, who.password);
  assert.equal(asked.status, 303, await asked.text());
  return linkIn(await mail.letter(email, LINK));
}

/** The same address as another program writes it; mail servers get domains in lower case. */
const spelled = (email: string): string => email.replace(/^[^@]+/, (name) => name.toUpperCase());

const personOf = async (the: World, id = the.person.id) =>
  (
    await the.sql<{ email: string; verified: boolean }>(
      "SELECT email, verified_at IS NOT NULL AS verified FROM person WHERE id = $1",
      [id],
    )
  )[0];

test("an account changes its address by a link mailed to the new one, confirmed while signed in, and the old one is told", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const [browser, elsewhere] = [await the.signedIn(), await the.signedIn()];
  const { email: old, password, id } = the.person;
  assert.match(await (await browser.get("/account")).text(), /href="\/account\/email"/);
  const link = await linkFor(the, mail, browser);
  assert.match(await read(await browser.get(`${ADDRESS}?done=sent`)), /on its way to the new address/);
  assert.equal((await personOf(the))?.email, old, "asking changes nothing");
  await the.sql("UPDATE person SET verified_at = '2026-01-01' WHERE id = $1", [id]);
  const reset = await the.service.db.transaction((tx) =>
    offerReset(the.service, tx, { personId: id, pause: 0 }),
  );

  const opened = the.browser();
  const away = await opened.get(link);
  assert.equal(away.headers.get("location"), `/sign-in?to=${encodeURIComponent(link)}`);
  const form = await formOf(await opened.get(away.headers.get("location") ?? ""));
  const back = await opened.post("/sign-in", { ...form.hidden, email: old, password });
  assert.equal(back.headers.get("location"), link);
  const shown = await opened.get(link);
  assert.equal(shown.headers.get("cache-control"), "no-store");
  const page = await shown.text();
  assert.ok(page.includes(`<bdi>${old}</bdi>`) && page.includes(`<bdi>${NEW}</bdi>`), page);
  assert.equal((await personOf(the))?.email, old, "opening the link changes nothing, as scanners open links");

  const changed = await send(opened, link);
  assert.equal(changed.headers.get("location"), "/account?done=email");
  assert.match(await read(await opened.get("/account?done=email")), /e-mail address has been changed/);
  assert.deepEqual(await personOf(the), { email: NEW, verified: true });
  const [proved] = await the.sql("SELECT FROM person WHERE verified_at > '2026-01-02'");
  assert.ok(proved, "the new address was verified now");
  for (const each of [browser, elsewhere, opened]) assert.ok(await isIn(each), "sessions stay");
  assert.equal((await the.browser().signIn({ email: old, password })).status, 401);
  assert.equal((await the.browser().signIn({ email: NEW, password })).status, 303);
  assert.equal((await the.browser().get(new URL(reset ?? "").pathname)).status, 404, "reset links end");
  assert.equal((await send(opened, link)).status, 404, "the link works once");
  assert.equal((await opened.get(link)).status, 404);

  const told = await mail.letter(old, /The e-mail address of your account was changed/);
  assert.match(told.text, new RegExp(`\\n {2}${NEW}\\n`));
  assert.match(told.text, /the IP address (?:::1|127\.0\.0\.1|::ffff:127\.0\.0\.1)\n/);
  assert.match(told.text, /When: \w+ \d+, \d{4} at .* UTC\n/);
  assert.match(told.text, /Ask the operator/);
  const audit = await the.sql<{ action: string; actor: string; text: string }>(
    "SELECT action, actor, audit::text AS text FROM audit WHERE person_id = $1 AND action LIKE 'person.email%' ORDER BY id",
    [id],
  );
  assert.deepEqual(
    audit.map(({ action, actor }) => [action, actor]),
    [
      ["person.email_requested", id],
      ["person.email_changed", id],
    ],
  );
  const token = link.split("/").at(-1) ?? "";
  assert.match(token, /^[0-9a-f]{64}$/);
  for (const { text } of audit)
    assert.ok(![NEW, old, token].some((secret) => text.includes(secret)), "the log outlives the account");
});

test("a change needs the password or a code of the app, is throttled, and a forged form does nothing", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail, {
    LIMITS: JSON.stringify({ registration: { perHour: 10_000 }, signIn: { perMinute: 1, burst: 3 } }),
  });
  const browser = await the.signedIn();
  const wrong = await ask(browser, NEW, "wrong one");
  assert.equal(wrong.status, 403);
  const page = await wrong.text();
  assert.match(page, /role="alert">That is not your password/);
  assert.match(page, new RegExp(`value="${NEW}"`), "what was typed stays");
  const forged = await browser.post(ADDRESS, { email: NEW, proof: the.person.password });
  assert.equal(forged.status, 403);
  assert.deepEqual(await the.sql("SELECT FROM new_email"), []);
  const { secret } = await setUpApp(browser, the.person.password);
  assert.equal((await ask(browser, NEW, await codeOf(secret))).status, 303);
  const link = linkIn(await mail.letter(NEW, LINK));
  const foreign = await browser.post(
    link,
    { form_token: hiddenIn(await (await browser.get(link)).text(), "form_token") },
    { Origin: "https://evil.example" },
  );
  assert.equal(foreign.status, 403);
  assert.equal((await personOf(the))?.email, the.person.email);
  let last = 0;
  for (let turn = 0; turn < 5; turn += 1) last = (await ask(browser, NEW, "wrong one")).status;
  assert.equal(last, 429);
});

test("the answer and the mail are the same for an address that has an account; confirming it is refused, clearly, until it is free", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const other = await the.newPerson("Other");
  const browser = await the.signedIn();
  const free = await ask(browser, NEW, the.person.password);
  const freeMail = await mail.letter(NEW, LINK);
  const taken = await ask(browser, spelled(other.email), the.person.password);
  const takenMail = await mail.letter(spelled(other.email), LINK);
  assert.deepEqual(
    [taken.status, taken.headers.get("location"), await taken.text()],
    [free.status, free.headers.get("location"), await free.text()],
  );
  const plain = (text: string) => text.replace(/[0-9a-f]{64}/, "…");
  assert.equal(plain(takenMail.text), plain(freeMail.text));
  const link = linkIn(takenMail);
  const refused = await send(browser, link);
  assert.equal(refused.status, 409);
  assert.match(await read(refused), /Another account uses this address. If it is yours, reset its password/);
  assert.deepEqual(await personOf(the), { email: the.person.email, verified: true });
  await send(await the.signedIn(other), "/account/delete", { password: other.password });
  assert.equal((await send(browser, link)).status, 303, "the link stays open for its hour");
  assert.equal((await personOf(the))?.email, spelled(other.email));
});

test("only the newest link works, for an hour, for its person alone, and not after a new password", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const browser = await the.signedIn();
  const first = await linkFor(the, mail, browser, "one@new.example");
  const second = await linkFor(the, mail, browser, "two@new.example");
  assert.equal((await send(browser, first)).status, 404, "replaced");
  const mallory = await the.signedIn(await the.newPerson("Mallory"));
  const theirs = await mallory.get(second);
  assert.equal(theirs.status, 404);
  assert.match(await read(theirs), /belongs to another account than the one you are signed in to/);
  assert.equal((await send(mallory, second)).status, 404);
  assert.equal((await browser.get(second)).status, 200);
  const fresh = "a wholly new sentence";
  await send(browser, "/account/password", { present: the.person.password, fresh });
  assert.equal((await send(browser, second)).status, 404, "the password is another one since");
  const third = await linkFor(the, mail, browser, "three@new.example", { ...the.person, password: fresh });
  await the.sql("UPDATE new_email SET expires_at = leadgate.moment()");
  assert.equal((await send(browser, third)).status, 404, "expired");
  assert.equal((await personOf(the))?.email, the.person.email);
});

test("links are limited by person and by recipient, and a refused one is not mailed and ends no earlier one", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const browser = await the.signedIn();
  for (const email of ["victim@new.example", "victim+1@new.example", "Victim+2@new.example"])
    await linkFor(the, mail, browser, email);
  const link = await linkFor(the, mail, browser);
  const over = await ask(browser, "VICTIM@new.example", the.person.password);
  assert.equal(over.status, 429);
  assert.ok(Number(over.headers.get("retry-after")) > 3_000);
  assert.match(await read(over), /Too many links were requested/);
  const other = await the.newPerson("Other");
  const theirs = await the.signedIn(other);
  assert.equal((await ask(theirs, "victim@new.example", other.password)).status, 429, "by any account");
  assert.equal((await ask(browser, "five@new.example", the.person.password)).status, 303);
  await mail.letter("five@new.example", LINK);
  assert.equal((await ask(browser, "six@new.example", the.person.password)).status, 429, "five an hour");
  assert.deepEqual(besidesSignIns(mail), []);
  assert.equal(
    (await browser.get(link)).status,
    404,
    "the fifth replaced it, the sixth did not end the fifth",
  );
  assert.equal((await the.sql("SELECT FROM new_email")).length, 1);
});

test("of racing confirmations one changes the address, and of two accounts one gets it", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const other = await the.newPerson("Other");
  const [mine, theirs] = [await the.signedIn(), await the.signedIn(other)];
  const links = [await linkFor(the, mail, mine), await linkFor(the, mail, theirs, NEW, other)] as const;
  const tokens = await Promise.all(
    [mine, theirs].map(async (browser) => (await formOf(await browser.get("/"))).hidden.form_token ?? ""),
  );
  const answers = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6, 7].map(async (turn) => {
      const at = turn % 2;
      const browser = at === 0 ? mine : theirs;
      const form_token = tokens[at] ?? "";
      return (await browser.post(links[at === 0 ? 0 : 1], { form_token })).status;
    }),
  );
  assert.equal(answers.filter((status) => status === 303).length, 1, answers.join());
  assert.ok(
    answers.every((status) => [303, 404, 409].includes(status)),
    answers.join(),
  );
  const rows = await the.sql("SELECT FROM person WHERE lower(email) = $1", [NEW]);
  assert.equal(rows.length, 1);
});

test("an address changes its case, and stays the same person's", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const browser = await the.signedIn();
  const same = await ask(browser, the.person.email, the.person.password);
  assert.equal(same.status, 400);
  assert.match(await same.text(), /id="email-wrong">This is already the address of your account/);
  const other = spelled(the.person.email);
  assert.equal((await send(browser, await linkFor(the, mail, browser, other))).status, 303);
  assert.equal((await personOf(the))?.email, other);
  assert.equal((await the.browser().signIn(the.person)).status, 303);
});

test("addresses that could be several recipients or a link are refused at their field", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const browser = await the.signedIn();
  for (const email of [
    ...[
      "",
      "nobody",
      "a@b@c.example",
      "a,b@c.example",
      "a@b.example,c",
      "friends:b@c.example;",
      "<b@c.example>",
    ],
    ...[
      "https://evil.example/@c.example",
      '"a b"@c.example',
      "a\u202eb@c.example",
      `${"a".repeat(250)}@c.example`,
    ],
  ]) {
    const refused = await ask(browser, email, the.person.password);
    assert.equal(refused.status, 400, email);
    assert.match(
      await refused.text(),
      /aria-describedby="email-wrong"[\s\S]*is not an e-mail address/,
      email,
    );
  }
  assert.deepEqual(besidesSignIns(mail), []);
  assert.deepEqual(await the.sql("SELECT FROM new_email"), []);
});

test("an unverified account that moves to its own address is verified, frees the other one, and tells it nothing", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  await the.sql("UPDATE person SET verified_at = NULL");
  const browser = await the.signedIn();
  await send(browser, await linkFor(the, mail, browser));
  assert.deepEqual(await personOf(the), { email: NEW, verified: true });
  const next = await linkFor(the, mail, browser, "ada@next.example");
  assert.equal((await send(browser, next)).status, 303);
  const told = await mail.letter(NEW, /The e-mail address of your account was changed/);
  assert.match(told.text, /ada@next\.example/);
  const former = mail.letters.filter(({ to }) => to === the.person.email);
  assert.deepEqual(former, [], "the address that was never proved got no mail");
});

test("pages and mails of a change are in the person's language", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const browser = await the.signedIn();
  await send(browser, "/account/profile", { name: "Ada Moreira", locale: "pt-BR" });
  assert.match(await read(await browser.get(ADDRESS)), /Alterar e-mail .*Novo endereço/);
  await ask(browser, NEW, the.person.password);
  const link = linkIn(await mail.letter(NEW, /Confirme seu novo e-mail/));
  assert.match(await read(await browser.get(link)), /Confirme seu novo endereço/);
  await send(browser, link);
  const told = await mail.letter(the.person.email, /O e-mail da sua conta foi alterado/);
  assert.match(told.text, /o endereço IP .*\n[\s\S]*Peça a quem opera/);
});

test("links are stored as hashes, expired ones are swept, and a restored backup has none; a deleted account takes its own along", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const browser = await the.signedIn();
  const link = await linkFor(the, mail, browser);
  const stored = () => the.sql<{ text: string }>("SELECT new_email::text AS text FROM new_email");
  assert.ok(!(await stored())[0]?.text.includes(link.split("/").at(-1) ?? ""));
  await sweepEmailLinks(the.service);
  assert.equal((await stored()).length, 1);
  await setAhead(the, "61 minutes");
  await sweepEmailLinks(the.service);
  assert.deepEqual(await stored(), []);
  await linkFor(the, mail, browser);
  await endEverything(the.service);
  assert.deepEqual(await stored(), []);
  const leaver = await the.newPerson("Leaver");
  const leaving = await the.signedIn(leaver);
  await linkFor(the, mail, leaving, "leaver@new.example", leaver);
  await send(leaving, "/account/delete", { password: leaver.password });
  assert.deepEqual(await stored(), []);
});

test("without SMTP the page names the operator's command and asks for nothing", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const page = await browser.get(ADDRESS);
  assert.match(
    await read(page),
    new RegExp(
      `only its operator can change your address.*person change-email --email ${the.person.email} --to`,
    ),
  );
  assert.equal((await ask(browser, NEW, the.person.password)).status, 200);
  assert.deepEqual(await the.sql("SELECT FROM new_email"), []);
});

test("in a real browser, on a phone, a person asks for the change and confirms it", async () => {
  await using mail = await mailbox();
  await using the = await worldWithMail(mail);
  const chromium = await realBrowser();
  try {
    const page = await chromium.newPage({ viewport: { width: 390, height: 740 } });
    const fits = async () =>
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url());
    await page.goto(`${the.authUrl}/sign-in?to=/account`);
    await page.fill("#email", the.person.email);
    await page.fill("#password", the.person.password);
    await page.click("button.primary");
    await page.getByRole("link", { name: "Change…" }).click();
    await page.waitForURL(`**${ADDRESS}`);
    await fits();
    await page.fill("[name=email]", NEW);
    await page.fill("[name=proof]", the.person.password);
    await page.press("[name=proof]", "Enter");
    await page.getByRole("status").waitFor();
    const link = linkIn(await mail.letter(NEW, LINK));
    await page.goto(the.authUrl + link);
    await fits();
    await page.getByRole("button", { name: "Change address" }).click();
    await page.waitForURL("**/account?done=email");
    await page.getByText(NEW).first().waitFor({ state: "attached" });
    await fits();
  } finally {
    await chromium.close();
  }
});
