import assert from "node:assert/strict";
import { test } from "node:test";
import { createPerson } from "../../src/domain/accounts/people/create-person.ts";
import { offerReset } from "../../src/domain/accounts/reset-link.ts";
import { offerSetUp } from "../../src/domain/projects/set-up.ts";
import { formOf } from "../browser.ts";
import { realBrowser } from "../chromium.ts";
import { type World, world } from "../world.ts";
import { isIn, send } from "./support/visiting.ts";

const COMMON = /Many people use this password/;

/** Returns what a page says at its password field, which must be marked as wrong and lead to it. */
async function atField(answer: Response): Promise<string> {
  const page = await answer.text();
  assert.equal(answer.status, 400, page);
  assert.match(page, /<input[^>]*type="password"[^>]*aria-invalid="true" aria-describedby="password-wrong"/);
  const said = [...page.matchAll(/<p class="error" role="alert"([^>]*)>([^<]*)<\/p>/g)];
  assert.deepEqual(
    said.map(([, attributes]) => attributes),
    [' id="password-wrong"'],
    "once, and at the field",
  );
  return said[0]?.[2] ?? "";
}

const resetLinkOf = async (the: World) =>
  new URL(
    (await the.service.db.transaction((tx) =>
      offerReset(the.service, tx, { personId: the.person.id, pause: 0 }),
    )) ?? "",
  ).pathname;

test("a common password is refused at every place where one is set, at its field, and nothing changes", async () => {
  await using the = await world({ alone: true });
  const owner = await the.signedIn();
  const before = await the.sql("SELECT id, password_hash FROM person");
  const present = the.person.password;
  for (const common of ["password", "12345678", "aaaaaaaa", "Password1!", "qwertyuiop"]) {
    const changed = await send(owner, "/account/password", { present, fresh: common });
    assert.match(await atField(changed), /attackers try|simple pattern/, common);
  }
  const reset = await resetLinkOf(the);
  assert.match(await atField(await the.browser().post(reset, { password: "password" })), COMMON);
  assert.equal((await the.browser().get(reset)).status, 200, "the link is not used up");
  const members = `/projects/${the.project.id}/settings/members`;
  const invited = await (
    await send(owner, `${members}/invite`, { email: "new@example.org", role: "viewer" })
  ).text();
  const invitation = new URL(/<code id="new-link">([^<]+)</.exec(invited)?.[1] ?? "").pathname;
  const newcomer = the.browser();
  const { hidden } = await formOf(await newcomer.get(invitation));
  const joined = await newcomer.post(invitation, { ...hidden, name: "New", password: "password" });
  assert.match(await atField(joined), COMMON);
  const operator = { email: "cli@example.org", name: "Cli", password: "password", verified: true };
  await assert.rejects(createPerson(the.service.db, operator), { code: "common_password", message: COMMON });
  assert.deepEqual(await the.sql("SELECT id, password_hash FROM person"), before);
  assert.ok(await isIn(owner), "no session ends");
});

test("the first owner cannot be set up with a common password, and what was typed stays in the form", async () => {
  await using the = await world({ alone: true });
  await the.sql("TRUNCATE person CASCADE");
  const link = `/setup/${await offerSetUp(the.service)}`;
  const owner = { email: "first@example.org", name: "First Owner", project: "Harbour" };
  const refused = await the.browser().post(link, { ...owner, password: "letmein1" });
  assert.match(await atField(refused.clone()), COMMON);
  assert.match(await refused.text(), /value="first@example.org"[\s\S]*value="Harbour"/);
  const made = await the.browser().post(link, { ...owner, password: "first owner of all" });
  assert.equal(made.status, 303);
});

test("one's own name, e-mail and the service's name are refused, each place knowing whose password it is", async () => {
  await using the = await world();
  const owner = await the.signedIn();
  for (const fresh of [the.person.name, `${the.person.email}!`, "leadgate2026"]) {
    const refused = await send(owner, "/account/password", { present: the.person.password, fresh });
    assert.match(await atField(refused), /your name, your e-mail or the name of this service/);
  }
  const reset = await the.browser().post(await resetLinkOf(the), { password: "ada moreira 1" });
  assert.match(await atField(reset), /your name/);
});

test("the reason and the advice are in the person's language", async () => {
  await using the = await world();
  const link = await resetLinkOf(the);
  const portuguese = { "Accept-Language": "pt-BR" };
  for (const [password, words] of [
    ["password", /Muita gente usa esta senha.*Use uma frase sua/],
    ["abcd1234", /padrão simples.*Use uma frase sua/],
    ["leadgate", /nome deste serviço.*Use uma frase sua/],
    ["short", /de 8 a 256 caracteres/],
  ] as const)
    assert.match(await atField(await the.browser().post(link, { password }, portuguese)), words);
});

test("a change to the current password is refused; a reset may set it, so that its link confirms no guess", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const present = the.person.password;
  const same = await send(browser, "/account/password", { present, fresh: present });
  assert.match(await atField(same), /This is your current password/);
  const guessed = await send(browser, "/account/password", { present: "wrong one", fresh: "wrong one" });
  assert.equal(guessed.status, 403, "only who knows the current password is told");
  const entries = await the.sql("SELECT FROM audit WHERE action = 'person.password_changed'");
  assert.deepEqual(entries, []);
  const reset = await the.browser().post(await resetLinkOf(the), { password: present });
  assert.equal(reset.status, 200);
  assert.equal((await the.browser().signIn(the.person)).status, 303);
});

test("long passwords and sentences are accepted as they are", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  let present = the.person.password;
  for (const fresh of [
    "uma frase só minha, com acentos",
    "a wholly new sentence ".repeat(12).slice(0, 256),
    "密码很长的一句话",
  ]) {
    const changed = await send(browser, "/account/password", { present, fresh });
    assert.equal(changed.status, 303, fresh);
    present = fresh;
  }
});

test("in a real browser the message stands at the field, is within view on a phone, and the page fits", async () => {
  await using the = await world();
  const chromium = await realBrowser();
  try {
    const page = await chromium.newPage({ viewport: { width: 390, height: 740 } });
    await page.goto(the.authUrl + (await resetLinkOf(the)));
    await page.fill("[name=password]", "password");
    await page.press("[name=password]", "Enter");
    const message = page.getByRole("alert");
    await message.waitFor();
    assert.match((await message.textContent()) ?? "", COMMON);
    assert.equal(
      await page.getAttribute("[name=password]", "aria-describedby"),
      await message.getAttribute("id"),
    );
    const box = await message.boundingBox();
    assert.ok(box !== null && box.y + box.height <= 740 && box.x >= 0 && box.x + box.width <= 390);
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
  } finally {
    await chromium.close();
  }
});
