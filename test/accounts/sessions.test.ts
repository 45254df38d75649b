import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../browser.ts";
import { type World, world } from "../world.ts";
import { isIn, read, send } from "./support/visiting.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function signedInWith(the: World, agent: string) {
  const browser = the.browser();
  const form = await formOf(await browser.get("/sign-in"));
  const fields = { ...form.hidden, email: the.person.email, password: the.person.password };
  await browser.post("/sign-in", fields, { "User-Agent": agent });
  return browser;
}

const idsOn = (page: string) =>
  [...page.matchAll(/name="session_id" value="([^"]+)"/g)].map(([, id = ""]) => id);

test("the account page lists where a person is signed in, in plain words, and marks this browser", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  await signedInWith(the, FIREFOX);
  await signedInWith(the, `<script>alert(1)</script>${"x".repeat(300)}`);
  const page = await (await browser.get("/account")).text();
  assert.equal(idsOn(page).length, 2, "this browser has no button to end itself");
  assert.match(page, /Firefox on Linux/);
  assert.equal(page.match(/this browser/g)?.length, 1);
  assert.ok(!page.includes("<script>alert"));
  assert.match(page, /127\.0\.0\.1|::1/);
});

test("the account page offers to end all other sessions as soon as there is one", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const offered = async () =>
    [...(await (await browser.get("/account")).text()).matchAll(/name="which" value="(others|all)"/g)].map(
      ([, which]) => which,
    );
  assert.deepEqual(await offered(), ["all"]);
  await signedInWith(the, FIREFOX);
  assert.deepEqual(await offered(), ["others", "all"]);
});

test("one session is ended, or all others, or all; each from the next request on", async () => {
  await using the = await world();
  const here = await the.signedIn();
  const [one, two] = [await signedInWith(the, FIREFOX), await the.signedIn()];
  const page = await (await here.get("/account")).text();
  const entry = page.split("<li>").find((part) => part.includes("Firefox")) ?? "";
  await send(here, "/account/sessions", { which: "one", session_id: idsOn(entry)[0] ?? "" });
  assert.deepEqual([await isIn(here), await isIn(one), await isIn(two)], [true, false, true]);
  await send(here, "/account/sessions", { which: "others" });
  assert.deepEqual([await isIn(here), await isIn(two)], [true, false]);
  const three = await the.signedIn();
  const out = await send(here, "/account/sessions", { which: "all" });
  assert.equal(out.headers.get("location"), "/sign-in");
  assert.deepEqual([await isIn(here), await isIn(three)], [false, false]);
});

test("a session lives through twelve hours without use and no longer; its lifetime ends it even if it is used", async () => {
  await using the = await world({ alone: true });
  const [idle, old] = [await the.signedIn(), await the.signedIn(await the.newPerson("Olga"))];
  const unused = (time: string) =>
    the.sql("UPDATE session SET used_at = moment() - $2::interval WHERE person_id = $1", [
      the.person.id,
      time,
    ]);
  await unused("11 hours 50 minutes");
  assert.ok(await isIn(idle), "its use is recorded, so it starts anew");
  await unused("11 hours 50 minutes");
  assert.ok(await isIn(idle));
  await unused("12 hours");
  assert.equal(await isIn(idle), false);
  assert.ok(await isIn(old));
  await the.sql("UPDATE session SET expires_at = moment()");
  assert.equal(await isIn(old), false);
});

test("a person cannot end another person's session", async () => {
  await using the = await world();
  const [victim, stranger] = [await the.signedIn(), await the.signedIn(await the.newPerson("Stan"))];
  const [session] = await the.sql<{ id: string }>("SELECT id FROM session WHERE person_id = $1", [
    the.person.id,
  ]);
  await send(stranger, "/account/sessions", { which: "one", session_id: session?.id ?? "" });
  assert.ok(await isIn(victim));
  assert.ok(!(await read(await stranger.get("/account"))).includes(the.person.email));
});
