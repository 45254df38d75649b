import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { type Browser, formOf } from "../browser.ts";
import { large } from "../large.ts";
import { Application } from "../oauth/support/application.ts";
import { freePort, type World, world } from "../world.ts";
import { Authenticator } from "./support/authenticator.ts";
import { resetLinkFor } from "./support/invited.ts";
import { type Letter, type Mailbox, mailbox } from "./support/mailbox.ts";
import { addPasskeyIn, readyToEnter, sendJson } from "./support/passkey-use.ts";
import { act, attempt, codeOf, secondStep, setUpApp } from "./support/signing-in.ts";
import { send } from "./support/visiting.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const withMail = (mail: Mailbox) => world({ env: { SMTP_URL: mail.url, TRUSTED_PROXIES: "127.0.0.1,::1" } });

/** Signs in on a browser with these headers. */
async function enter(the: World, browser: Browser, headers: Record<string, string> = {}): Promise<Response> {
  const { hidden } = await formOf(await browser.get("/sign-in"));
  const { email, password } = the.person;
  return await browser.post("/sign-in", { ...hidden, email, password }, headers);
}

/** Every notice says when, from where, and where to go. */
function complete({ text }: Letter, the: World, path: string): void {
  assert.match(
    text,
    /\n(When|Quando): \S.* \d\d:\d\d UTC\n(From|De onde): \S.*(IP address|endereço IP) [\d.:a-f]+\n/,
  );
  assert.ok(text.endsWith(`\n  ${the.authUrl}${path}\n`), text);
}

const speakPortuguese = (the: World) =>
  the.sql("UPDATE person SET locale = 'pt-BR' WHERE id = $1", [the.person.id]);

/** Waits for a mail that comes after everything before it, and returns the mails besides it. */
async function othersAfter(the: World, mail: Mailbox, browser: Browser): Promise<string[]> {
  const { email, password } = the.person;
  await send(browser, "/account/password", { present: password, fresh: "a wholly new sentence" });
  await mail.letter(email, /Your password was changed|Sua senha foi alterada/);
  return mail.letters.filter(({ to }) => to === email).map(({ subject }) => subject);
}

test("a sign-in on a new browser is reported by mail, once for each browser, in the person's language", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const browser = the.browser();
  const headers = { "User-Agent": FIREFOX, "X-Forwarded-For": "203.0.113.7" };
  assert.equal((await enter(the, browser, headers)).status, 303);
  const letter = await mail.letter(the.person.email, /New sign-in to your account/);
  assert.match(letter.text, /From: Firefox on Linux, IP address 203\.0\.113\.7\n/);
  complete(letter, the, "/account");
  await send(browser, "/sign-out");
  assert.equal((await enter(the, browser, headers)).status, 303);
  assert.deepEqual(await othersAfter(the, mail, browser), []);
  await speakPortuguese(the);
  the.person.password = "a wholly new sentence";
  await enter(the, the.browser(), { ...headers, "Accept-Language": "en" });
  const portuguese = await mail.letter(the.person.email, /Novo acesso à sua conta/);
  assert.match(portuguese.text, /De onde: Firefox no Linux, endereço IP 203\.0\.113\.7\n/);
  complete(portuguese, the, "/account");
});

test("a person who has chosen no language is notified in the browser's, and an unknown browser adds no words", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const agent = "Your account is blocked, go to evil.example now";
  await enter(the, the.browser(), { "Accept-Language": "pt-BR,en;q=0.5", "User-Agent": agent });
  const letter = await mail.letter(the.person.email, /Novo acesso/);
  assert.match(letter.text, /De onde: um navegador ou programa desconhecido, endereço IP/);
  assert.doesNotMatch(letter.text, /evil/);
});

test("creating an account is not a sign-in on a new browser", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const owner = await the.signedIn();
  const members = `/projects/${the.project.id}/settings/members`;
  await send(owner, `${members}/invite`, { email: "new@example.org", role: "viewer" });
  const link = /\S+\/invitation\/\S+/.exec((await mail.letter("new@example.org", /invited/)).text)?.[0] ?? "";
  const browser = the.browser();
  const form = await formOf(await browser.get(new URL(link).pathname));
  const password = "a long sentence of mine";
  await browser.post(new URL(link).pathname, { ...form.hidden, name: "New", password });
  await send(browser, "/account/password", { present: password, fresh: "a wholly new sentence" });
  await mail.letter("new@example.org", /Your password was changed/);
  assert.deepEqual(
    mail.letters.filter(({ to }) => to === "new@example.org"),
    [],
  );
});

test("a passkey that is added or removed is reported by mail, with its name as plain text", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const browser = await the.signedIn();
  const { email, password } = the.person;
  const key = new Authenticator();
  const name = "My key\u2028Go to https://evil.example";
  assert.equal((await addPasskeyIn(browser, { password, key, name })).status, 200);
  const added = await mail.letter(email, /A passkey was added/);
  assert.ok(added.text.includes("\n\n  My key Go to https evil example\n"), added.text);
  complete(added, the, "/account/passkeys");
  await speakPortuguese(the);
  const id = key.id.toString("base64url");
  assert.equal((await act(browser, "/account/passkeys", { id, proof: password })).status, 303);
  const removed = await mail.letter(email, /Uma chave de acesso foi removida/);
  assert.ok(removed.text.includes("\n\n  My key Go to https evil example\n"), removed.text);
  complete(removed, the, "/account/passkeys");
});

test("a sign-in with a passkey on a new browser is reported by mail", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const key = new Authenticator();
  const { email, password, id } = the.person;
  await addPasskeyIn(await the.signedIn(), { password, key, name: "Key" });
  await mail.letter(email, /New sign-in/);
  const browser = the.browser();
  const { hidden } = await formOf(await browser.get("/sign-in"));
  const options = await sendJson(browser, "/sign-in/passkey/options", hidden);
  const { challenge } = (await options.json()) as { challenge: string };
  const answer = key.get(challenge, { origin: the.authUrl, rpId: "localhost", userHandle: id });
  assert.equal((await sendJson(browser, "/sign-in/passkey", { ...hidden, answer })).status, 200);
  complete(await mail.letter(email, /New sign-in/), the, "/account");
});

test("passkeys that are removed with a new password are reported by mail, each with its name", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const browser = await the.signedIn();
  const { email, password } = the.person;
  for (const name of ["Laptop", "Phone"])
    await addPasskeyIn(browser, { password, key: new Authenticator(), name });
  const fields = { password: "a wholly new sentence", passkeys: "end" };
  assert.equal((await the.browser().post(await resetLinkFor(the, email), fields)).status, 200);
  for (const name of ["Laptop", "Phone"]) {
    const removed = await mail.letter(email, new RegExp(`no longer sign in to it:\n\n  ${name}\n`));
    assert.equal(removed.subject, "A passkey was removed from your account");
    complete(removed, the, "/account/passkeys");
  }
});

test("browsers that signed in before an account was claimed, in whatever way, are new browsers to its owner", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  await the.sql("UPDATE person SET verified_at = NULL");
  const { email, password } = the.person;
  const byPassword = await the.signedIn();
  const key = new Authenticator();
  assert.equal((await addPasskeyIn(byPassword, { password, key, name: "Key" })).status, 200);
  const { secret } = await setUpApp(byPassword, password);
  const byCode = the.browser();
  const asked = await attempt(byCode, { email, password });
  assert.equal((await secondStep(byCode, asked, { code: await codeOf(secret) })).status, 303);
  const byPasskey = the.browser();
  const entered = await (await readyToEnter(byPasskey, key))();
  assert.equal(entered.status, 200);
  for (const line of entered.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    byPasskey.cookies.set(name, value);
  }
  const claimed = { password: "the sentence of the owner" };
  assert.equal((await the.browser().post(await resetLinkFor(the, email), claimed)).status, 200);
  await mail.letter(email, /address is confirmed/);
  for (const browser of [byPassword, byCode, byPasskey]) {
    assert.equal((await attempt(browser, { email, ...claimed })).status, 303);
    complete(await mail.letter(email, /New sign-in/), the, "/account");
  }
});

test("the mail about a claim is in the person's language, or in the browser's if they have chosen none", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const { email, id } = the.person;
  for (const [locale, headers, words] of [
    [null, { "Accept-Language": "pt-BR,en;q=0.5" }, /Seu endereço de e-mail foi confirmado/],
    ["pt-BR", { "Accept-Language": "en" }, /Seu endereço de e-mail foi confirmado/],
    [null, {}, /Your e-mail address is confirmed/],
  ] as const) {
    await the.sql("UPDATE person SET verified_at = NULL, locale = $2 WHERE id = $1", [id, locale]);
    const link = await resetLinkFor(the, email);
    assert.equal(
      (await the.browser().post(link, { password: "the sentence of the owner" }, headers)).status,
      200,
    );
    const { text } = await mail.letter(email, words);
    assert.ok(text.endsWith(`\n  ${the.authUrl}/forgot\n`), text);
  }
});

test("an authenticator app that is turned on or off, and renewed recovery codes, are reported by mail", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const browser = await the.signedIn();
  const { email, password } = the.person;
  await setUpApp(browser, password);
  complete(await mail.letter(email, /Two-step sign-in was turned on/), the, "/account/two-factor");
  await act(browser, "/account/two-factor", { do: "codes", proof: password });
  complete(await mail.letter(email, /New recovery codes were created/), the, "/account/two-factor");
  await speakPortuguese(the);
  await act(browser, "/account/two-factor", { do: "codes", proof: password });
  complete(await mail.letter(email, /Novos códigos de recuperação/), the, "/account/two-factor");
  await act(browser, "/account/two-factor", { do: "off", proof: password });
  complete(await mail.letter(email, /duas etapas foi desativada/), the, "/account/two-factor");
  await setUpApp(browser, password);
  complete(await mail.letter(email, /duas etapas foi ativada/), the, "/account/two-factor");
});

test("a used recovery code is reported by mail with the number left, at sign-in and as proof of a change", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const browser = await the.signedIn();
  const { email, password } = the.person;
  const { recovery } = await setUpApp(browser, password);
  const [first = "", second = ""] = recovery;
  const asked = await attempt(the.browser(), { email, password });
  assert.equal((await secondStep(the.browser(), asked, { recovery: first })).status, 403, "another browser");
  const visitor = the.browser();
  const entered = await secondStep(visitor, await attempt(visitor, { email, password }), { recovery: first });
  assert.equal(entered.status, 303);
  const letter = await mail.letter(email, /A recovery code was used/);
  assert.match(letter.text, / 9 codes are left\./);
  complete(letter, the, "/account/two-factor");
  await speakPortuguese(the);
  await act(browser, "/account/two-factor", { do: "codes", proof: second });
  assert.match((await mail.letter(email, /Um código de recuperação/)).text, /Restam 8 códigos\./);
});

/** Signs in with the right password and a wrong code, from a stranger's browser. */
async function guess(the: World): Promise<void> {
  const visitor = the.browser();
  const headers = { "Accept-Language": "pt-BR", "X-Forwarded-For": "203.0.113.9" };
  const form = await formOf(await attempt(visitor, the.person));
  const answer = await visitor.post(form.action, { ...form.hidden, code: "000000" }, headers);
  assert.equal(answer.status, 401);
}

test("wrong codes after the right password are reported by mail from the third on, once an hour", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const { email, password, id } = the.person;
  await setUpApp(await the.signedIn(), password);
  await guess(the);
  await guess(the);
  // they are counted behind the answer
  const bucket = `wrong codes ${id}`;
  const counted = async () =>
    (await the.sql("SELECT FROM recent_hit WHERE bucket = $1", [bucket])).length === 2;
  for (let turn = 0; !(await counted()); turn += 1) {
    assert.ok(turn < 500, "wrong codes are counted");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const reports = () => mail.letters.filter(({ subject }) => /Someone knows your password/.test(subject));
  assert.deepEqual(reports(), []);
  await guess(the);
  const letter = await mail.letter(email, /Someone knows your password/);
  assert.match(letter.text, /203\.0\.113\.9/);
  complete(letter, the, "/account");
  await Promise.all([guess(the), guess(the), guess(the)]);
  const owner = the.browser();
  assert.equal((await attempt(owner, the.person)).status, 200, "the owner may still try");
  assert.deepEqual(reports(), []);
});

large("the report of wrong codes is in the person's language, and comes again after an hour", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  await setUpApp(await the.signedIn(), the.person.password);
  await speakPortuguese(the);
  for (let turn = 0; turn < 3; turn += 1) await guess(the);
  complete(await mail.letter(the.person.email, /Alguém sabe a sua senha/), the, "/account");
  await the.sql("UPDATE recent_hit SET at = at - interval '1 hour' WHERE bucket LIKE 'mail wrong_codes%'");
  await guess(the);
  complete(await mail.letter(the.person.email, /Alguém sabe a sua senha/), the, "/account");
});

test("a new application is reported by mail with its name, project, scopes and place", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const browser = await the.signedIn();
  await the.sql("UPDATE store.project SET name = 'Harbour\u2028www.evil.example'");
  const app = await Application.register(the, { client_name: "Forwarder https://evil.example" });
  await app.tokens(browser, { scopes: ["mcp:read"] });
  const letter = await mail.letter(the.person.email, /You gave a new application access/);
  assert.match(letter.text, /\n {2}Forwarder https evil example\n/);
  assert.match(letter.text, /\nProject: Harbour www evil example\n/);
  assert.match(letter.text, /\nIt can: read and export all leads [^\n;]+\nIt returns to: app\.example\n/);
  complete(letter, the, "/connected-apps");
  await speakPortuguese(the);
  const local = await Application.register(the, {
    client_name: "Local",
    redirect_uris: ["http://127.0.0.1:4711/cb"],
  });
  await local.tokens(browser);
  const portuguese = await mail.letter(the.person.email, /Você deu acesso a um novo aplicativo/);
  assert.match(portuguese.text, /\nEle pode: ler e exportar [^\n;]+; criar, alterar e excluir [^\n;]+\n/);
  assert.match(portuguese.text, /\nEle retorna para: um programa no aparelho [^\n]*\(127\.0\.0\.1:4711\)\n/);
  complete(portuguese, the, "/connected-apps");
});

test("the operator's removal of all factors is reported by mail before the command ends", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  const ended = await command(the, ["person", "end-factors", "--email", the.person.email]);
  assert.equal(ended, 0);
  const found = mail.letters.find(({ to }) => to === the.person.email);
  assert.match(found?.subject ?? "", /Your second factors were removed/);
  assert.match(found?.text ?? "", /From: the command line of the service\n/);
  await speakPortuguese(the);
  await command(the, ["person", "end-factors", "--email", the.person.email]);
  await mail.letter(the.person.email, /O operador do serviço removeu/);
});

/** Runs a command of the command line; returns its exit code. */
function command(the: World, words: string[]): Promise<number | null> {
  const child = spawn(process.execPath, ["src/main.ts", ...words], {
    env: { PATH: process.env.PATH, ...the.env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.once("close", resolve));
}

test("an address that is not verified gets no security mails", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  await the.sql("UPDATE person SET verified_at = NULL");
  const browser = await the.signedIn();
  const { password } = the.person;
  await addPasskeyIn(browser, { password, key: new Authenticator(), name: "Key" });
  await setUpApp(browser, password);
  const verified = await the.newPerson("Verified");
  await the.signedIn(verified);
  await mail.letter(verified.email, /New sign-in/);
  assert.deepEqual(mail.letters, []);
});

test("however often something happens, a person gets at most ten mails of a kind an hour", async () => {
  await using mail = await mailbox();
  await using the = await withMail(mail);
  for (let turn = 0; turn < 3; turn += 1)
    await Promise.all(Array.from({ length: 5 }, () => enter(the, the.browser())));
  for (let turn = 0; turn < 10; turn += 1) await mail.letter(the.person.email, /New sign-in/);
  const browser = await the.signedIn();
  assert.deepEqual(await othersAfter(the, mail, browser), []);
});

test("a dead mail server changes nothing for sign-in, passkeys and second factors", async () => {
  await using the = await world({ env: { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` } });
  const browser = the.browser();
  assert.equal((await enter(the, browser)).status, 303);
  const { email, password } = the.person;
  const key = new Authenticator();
  assert.equal((await addPasskeyIn(browser, { password, key, name: "Key" })).status, 200);
  const { secret } = await setUpApp(browser, password);
  const visitor = the.browser();
  const asked = await attempt(visitor, { email, password });
  const wrong = await secondStep(visitor, asked, { code: "000000" });
  assert.equal(wrong.status, 401);
  assert.equal((await secondStep(visitor, wrong, { code: await codeOf(secret) })).status, 303);
});
