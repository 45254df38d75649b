import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../browser.ts";
import { Application } from "../oauth/support/application.ts";
import { freePort, type World, world } from "../world.ts";
import { linkIn, mailbox } from "./support/mailbox.ts";
import { read, send } from "./support/visiting.ts";

const membersOf = (the: World) => `/projects/${the.project.id}/settings/members`;

test("an invitation is mailed in the recipient's language, with names that cannot add lines or links", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const browser = await the.signedIn();
  await the.sql("UPDATE store.project SET name = $1", [`www.evil.example ${"win ".repeat(40)}`]);
  await send(browser, "/account/profile", { name: "Ada\u2028Click https://evil.example/x", locale: "" });
  assert.match(await read(await browser.get(membersOf(the))), /We send a link to this address by e-mail/);
  await send(browser, `${membersOf(the)}/invite`, { email: "new@example.org", role: "editor" });
  const letter = await mail.letter("new@example.org", /You have been invited to a project/);
  assert.ok(letter.text.includes("\n  Ada Click https evil example/x\n"), letter.text);
  assert.ok(!letter.text.includes("\u2028"));
  assert.match(letter.text, /\n {2}www evil example (win )+wi?n?…\n/);
  const link = /\S+\/invitation\/\S+/.exec(letter.text)?.[0] ?? "";
  assert.equal((await the.browser().get(new URL(link).pathname)).status, 200);
  const guest = await the.newPerson("Guest");
  await the.sql("UPDATE person SET locale = 'pt-BR' WHERE id = $1", [guest.id]);
  await send(browser, `${membersOf(the)}/invite`, { email: guest.email, role: "editor" });
  assert.match((await mail.letter(guest.email, /convidado/)).subject, /Você foi convidado/);
});

test("a changed password is reported by mail", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const browser = await the.signedIn();
  await send(browser, "/account/password", { present: the.person.password, fresh: "a wholly new sentence" });
  const letter = await mail.letter(the.person.email, /Your password was changed/);
  assert.match(letter.text, /connected-apps/);
});

test("a replayed refresh token and a new application are reported by mail", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const browser = await the.signedIn();
  const app = await Application.register(the, { client_name: "Forwarder" });
  const { refresh } = await app.tokens(browser);
  assert.match(
    (await mail.letter(the.person.email, /You gave a new application access/)).text,
    /\n {2}Forwarder\n/,
  );
  await app.refresh(refresh);
  await app.refresh(refresh);
  assert.match((await mail.letter(the.person.email, /revoked for your security/)).text, /\n {2}Forwarder\n/);
});

test("a mail server that is down, or never answers, breaks and delays nothing", async () => {
  await using the = await world({ env: { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` } });
  const visitor = the.browser();
  const form = await formOf(await visitor.get("/forgot"));
  assert.equal((await visitor.post("/forgot", { ...form.hidden, email: the.person.email })).status, 200);
  const browser = await the.signedIn();
  const invited = await send(browser, `${membersOf(the)}/invite`, {
    email: "new@example.org",
    role: "editor",
  });
  assert.match(await read(invited), /The link is on its way to this address/);
  const changed = await send(browser, "/account/password", {
    present: the.person.password,
    fresh: "a wholly new sentence",
  });
  assert.equal(changed.status, 303);
});

test("a reset mail speaks the language of the browser that asked, unless its person chose another", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const ask = async (email: string) => {
    const browser = the.browser();
    const form = await formOf(await browser.get("/forgot"));
    await browser.post("/forgot", { ...form.hidden, email }, { "Accept-Language": "pt-BR" });
  };
  await ask(the.person.email);
  const letter = await mail.letter(the.person.email, /Defina uma nova senha/);
  assert.match(linkIn(letter), /^\/reset\/[0-9a-f]{64}$/);
  const english = await the.newPerson("Eng");
  await the.sql("UPDATE person SET locale = 'en' WHERE id = $1", [english.id]);
  await ask(english.email);
  await mail.letter(english.email, /Set a new password/);
});
