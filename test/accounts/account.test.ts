import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../browser.ts";
import { world } from "../world.ts";
import { Authenticator } from "./support/authenticator.ts";
import { addPasskeyIn } from "./support/passkey-use.ts";
import { isIn, read, send } from "./support/visiting.ts";

test("a person creates a project on the home page and owns it, audited", async () => {
  await using the = await world();
  const browser = await the.signedIn(await the.newPerson("Nova"));
  assert.match(await read(await browser.get("/")), /do not have any projects yet/);
  const made = await send(browser, "/projects", { name: "  Aurora <b>  " });
  assert.match(made.headers.get("location") ?? "", /^\/projects\/prj_/);
  const page = await (await browser.get(`${made.headers.get("location")}/settings/overview`)).text();
  assert.ok(page.includes("Aurora &#60;b&#62;"));
  assert.match(page, /Owner/);
  const entries = await the.sql("SELECT FROM audit WHERE action = 'project.created' AND person_id = actor");
  assert.equal(entries.length, 1);
  const refused = await send(browser, "/projects", { name: "   " });
  assert.equal(refused.status, 400);
  assert.match(await read(refused), /1 to 200 characters/);
});

test("a passkey has a name of 1 to 100 characters, without spaces around it", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const added = (name: string) =>
    addPasskeyIn(browser, { password: the.person.password, key: new Authenticator(), name });
  for (const name of ["", " \t ", "x".repeat(101), "a\0b"]) {
    const refused = await added(name);
    assert.equal(refused.status, 400, JSON.stringify(name));
    assert.match(await refused.text(), /a name of 1 to 100 characters/);
  }
  assert.equal((await added(` ${"x".repeat(100)} `)).status, 200);
  assert.match(await read(await browser.get("/account/passkeys")), / x{100} /);
  assert.deepEqual(await the.sql("SELECT length(name) AS length FROM passkey"), [{ length: 100 }]);
});

test("a person changes name and language, and the pages follow at once", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  assert.match(await (await browser.get("/account")).text(), /<html lang="en">/);
  const saved = await send(browser, "/account/profile", { name: "Adélia Prado", locale: "pt-BR" });
  assert.equal(saved.headers.get("location"), "/account?done=profile");
  const page = await (await browser.get("/account?done=profile")).text();
  assert.match(page, /<html lang="pt-BR">/);
  assert.match(page, /Adélia Prado/);
  assert.match(page, /role="status">Salvo/);
  assert.equal((await send(browser, "/account/profile", { name: "", locale: "" })).status, 400);
  assert.equal((await send(browser, "/account/profile", { name: "A", locale: "xx" })).status, 400);
  await send(browser, "/account/profile", { name: "Ada", locale: "" });
  const follows = await browser.get("/account", { "Accept-Language": "pt-PT,en;q=0.5" });
  assert.match(await follows.text(), /<html lang="pt-BR">/);
});

test("a new password ends every other session, renews this one, leaves applications alone, and the old one is void", async () => {
  await using the = await world({ alone: true });
  const [here, there] = [await the.signedIn(), await the.signedIn()];
  const before = here.cookies.get("leadgate_session");
  const fresh = "a wholly new sentence";
  const wrong = await send(here, "/account/password", { present: "not it", fresh });
  assert.equal(wrong.status, 403);
  assert.match(await read(wrong), /not your current password/);
  const weak = await send(here, "/account/password", { present: the.person.password, fresh: "short" });
  assert.equal(weak.status, 400);
  assert.ok(await isIn(there), "a refused change ends nothing");
  const changed = await send(here, "/account/password", { present: the.person.password, fresh });
  assert.equal(changed.headers.get("location"), "/account?done=password");
  assert.notEqual(here.cookies.get("leadgate_session"), before);
  assert.ok(await isIn(here));
  assert.ok(!(await isIn(there)));
  assert.match(
    await read(await here.get("/account?done=password")),
    /every other browser has been signed out/,
  );
  assert.equal((await the.browser().signIn(the.person)).status, 401);
  assert.equal((await the.browser().signIn({ email: the.person.email, password: fresh })).status, 303);
  const entries = await the.sql("SELECT FROM audit WHERE action = 'person.password_changed'");
  assert.equal(entries.length, 1);
});

test("of two racing password changes, one succeeds", async () => {
  await using the = await world();
  const browsers = [await the.signedIn(), await the.signedIn()];
  // The tokens before the race: the first change ends the other's session.
  const forms = await Promise.all(
    browsers.map(async (browser) => (await formOf(await browser.get("/"))).hidden),
  );
  const answers = await Promise.all(
    browsers.map((browser, at) =>
      browser.post("/account/password", {
        ...forms[at],
        present: the.person.password,
        fresh: `new sentence ${at}`,
      }),
    ),
  );
  const won = answers.filter(({ headers }) => headers.get("location") === "/account?done=password");
  assert.equal(won.length, 1);
});

test("guessing the present password from a session is throttled", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const statuses: number[] = [];
  for (let guess = 0; guess < 12; guess += 1) {
    const answer = await send(browser, "/account/password", {
      present: `guess ${guess}`,
      fresh: "new sentence",
    });
    statuses.push(answer.status);
  }
  assert.ok(statuses.includes(429), statuses.join(" "));
});
