import assert from "node:assert/strict";
import { test } from "node:test";
import { offerSetUp } from "../../src/domain/projects/set-up.ts";
import type { Browser } from "../browser.ts";
import { world } from "../world.ts";
import { resetLinkFor } from "./support/invited.ts";
import { send } from "./support/visiting.ts";

const PORTUGUESE = { "Accept-Language": "pt-BR,pt;q=0.9" };

/** Words of our English pages that a Portuguese page has no reason to contain. */
const ENGLISH =
  /\b(the|your|you|with|from|password|members?|settings|projects?|create|delete|sign|name|since|browser|nothing|not)\b/i;

/** Returns what a person reads: without markup, code, or names that people entered. */
const proseOf = (page: string) =>
  page
    .replace(/<title>.*?<\/title>/s, (title) => title.replace("Leadgate", ""))
    .replace(/<(pre|code|bdi|select|style)\b[^>]*>[\s\S]*?<\/\1>/g, " ")
    .replace(/(?:aria-label|placeholder)="([^"]*)"/g, "> $1 <")
    .replace(/<[^>]+>/g, " ");

async function reads(browser: Browser, path: string): Promise<void> {
  const answer = await browser.get(path, PORTUGUESE);
  const page = await answer.text();
  assert.match(page, /<html lang="pt-BR">/, path);
  const english = ENGLISH.exec(proseOf(page));
  assert.equal(
    english,
    null,
    `${path} says "${english?.[0]}" (${english?.input.slice(english.index - 60, english.index + 60)})`,
  );
}

test("every page of accounts and projects is in Portuguese for a browser that prefers it", async () => {
  await using the = await world({ alone: true });
  await the.key();
  const browser = await the.signedIn();
  const [home, own] = [`/projects/${the.project.id}`, await the.newPerson("Solo")];
  const invited = await send(browser, `${home}/settings/members/invite`, {
    email: "n@example.org",
    role: "viewer",
  });
  const link = /<code id="new-link">([^<]+)</.exec(await invited.text())?.[1] ?? "";
  for (const path of [
    "/",
    `${home}/settings/overview`,
    `${home}/settings`,
    `${home}/settings/api-keys`,
    `${home}/settings/applications`,
    `${home}/settings/members`,
    "/account",
    "/account?done=profile",
    "/account/delete",
  ]) {
    await reads(browser, path);
  }
  await reads(await the.signedIn(own), "/");
  await reads(await the.signedIn(own), "/account/delete");
  await reads(await the.signedIn(own), new URL(link).pathname);
  for (const path of ["/forgot", new URL(link).pathname, "/reset/none", "/invitation/none", "/setup/none"]) {
    await reads(the.browser(), path);
  }
  await reads(the.browser(), await resetLinkFor(the, own.email));
  await the.sql("UPDATE person SET verified_at = NULL WHERE id = $1", [own.id]);
  await reads(the.browser(), await resetLinkFor(the, own.email));
  await reads(await the.signedIn(own), "/account");
  await the.sql("DELETE FROM person");
  await reads(the.browser(), `/setup/${await offerSetUp(the.service)}`);
});

test("refusals on forms are in the person's language", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  await send(browser, "/account/profile", { name: "Ada", locale: "pt-BR" });
  const members = `/projects/${the.project.id}/settings/members`;
  for (const [path, fields, words] of [
    ["/projects", { name: "" }, /1 a 200 caracteres/],
    ["/account/password", { present: "x", fresh: "a new sentence" }, /não é a sua senha atual/],
    ["/account/password", { present: the.person.password, fresh: "x" }, /8 a 256 caracteres/],
    [`${members}/invite`, { email: "nobody", role: "viewer" }, /Este endereço de e-mail não é válido/],
    [`${members}/invite`, { email: the.person.email, role: "viewer" }, /já está neste projeto/],
    [`${members}/${the.person.id}/remove`, {}, /ao menos um proprietário/],
    [`/projects/${the.project.id}/settings/delete`, { name: "x" }, /não é o nome do projeto/],
    [`/projects/${the.project.id}/settings/api-keys`, { name: "" }, /1 a 100 caracteres/],
    ["/account/delete", { password: the.person.password }, /único proprietário/],
  ] as const) {
    assert.match(await (await send(browser, path, fields)).text(), words, path);
  }
});
