import assert from "node:assert/strict";
import { test } from "node:test";
import type { Browser } from "../browser.ts";
import { formOf } from "../browser.ts";
import { Application, exchange, tokensOf } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";
import { isIn, read, send } from "./support/visiting.ts";

const membersOf = (the: World) => `/projects/${the.project.id}/settings/members`;

/** Invites somebody and returns the link, which the page shows once. */
async function invite(the: World, browser: Browser, email: string, role = "editor"): Promise<string> {
  const page = await (await send(browser, `${membersOf(the)}/invite`, { email, role })).text();
  const link = /<code id="new-link">([^<]+)</.exec(page)?.[1];
  if (link === undefined) throw new Error(`no link on ${page}`);
  return new URL(link).pathname;
}

async function joinAsNew(browser: Browser, link: string, name = "New Person"): Promise<Response> {
  const form = await formOf(await browser.get(link));
  return await browser.post(link, { ...form.hidden, name, password: "a long new sentence" });
}

const roleOf = async (the: World, personId: string) =>
  (
    await the.sql<{ role: string }>("SELECT role FROM membership WHERE person_id = $1 AND project_id = $2", [
      personId,
      the.project.id,
    ])
  )[0]?.role;

test("a new person joins through the link with a name and a password, and is signed in", async () => {
  await using the = await world({ alone: true });
  const owner = await the.signedIn();
  const link = await invite(the, owner, "New@Example.org", "viewer");
  assert.match(link, /^\/invitation\/lgi_[0-9a-z]{26}_[0-9a-f]{64}_[0-9a-f]{6}$/);
  const browser = the.browser();
  const page = await read(await browser.get(link));
  assert.match(page, /Ada Moreira invites you to the project Harbour Sales .*Viewer/);
  const joined = await joinAsNew(browser, link);
  assert.equal(joined.headers.get("location"), `/projects/${the.project.id}`);
  const overview = `${joined.headers.get("location")}/settings/overview`;
  assert.match(await read(await browser.get(overview)), /Harbour Sales .*Viewer/);
  const again = await the.browser().signIn({ email: "new@example.org", password: "a long new sentence" });
  assert.equal(again.status, 303);
  assert.equal((await the.browser().get(link)).status, 404, "the link works once");
});

test("a person with an account signs in first, returns to the invitation and accepts with a click", async () => {
  await using the = await world({ alone: true });
  const guest = await the.newPerson("Guest");
  const link = await invite(the, await the.signedIn(), guest.email.toUpperCase(), "admin");
  const browser = the.browser();
  const page = await (await browser.get(link)).text();
  const to = /href="(\/sign-in\?to=[^"]+)"/.exec(page)?.[1] ?? "";
  const form = await formOf(await browser.get(to));
  const back = await browser.post("/sign-in", {
    ...form.hidden,
    email: guest.email,
    password: guest.password,
  });
  assert.equal(back.headers.get("location"), link);
  const asked = await read(await browser.get(link));
  assert.match(asked, /signed in as Guest/);
  assert.doesNotMatch(asked, /sent to another e-mail/);
  const accepted = await send(browser, `${link}/accept`);
  assert.equal(accepted.headers.get("location"), `/projects/${the.project.id}`);
  assert.equal(await roleOf(the, guest.id), "admin");
  const actions = await the.sql<{ action: string; email: boolean }>(
    "SELECT action, data::text LIKE '%@%' AS email FROM audit WHERE action LIKE 'member.%' ORDER BY id",
  );
  assert.deepEqual(actions, [
    { action: "member.invited", email: false },
    { action: "member.joined", email: false },
  ]);
});

test("the holder of the link may join with another e-mail, and the page says so", async () => {
  await using the = await world({ alone: true });
  const link = await invite(the, await the.signedIn(), "work@example.org");
  const other = await the.newPerson("Other");
  const browser = await the.signedIn(other);
  assert.match(await read(await browser.get(link)), /sent to another e-mail.*work@example.org/);
  assert.equal((await send(browser, `${link}/accept`)).status, 303);
  assert.equal(await roleOf(the, other.id), "editor");
});

test("of many people who race for one link, one joins", async () => {
  await using the = await world({ alone: true });
  const link = await invite(the, await the.signedIn(), "one@example.org");
  const people = await Promise.all([1, 2, 3, 4].map((at) => the.newPerson(`Racer ${at}`)));
  const browsers = await Promise.all(people.map((person) => the.signedIn(person)));
  const newcomer = the.browser();
  const form = await formOf(await newcomer.get(link));
  const fresh = { ...form.hidden, name: "New", password: "a long new sentence" };
  const answers = await Promise.all([
    ...browsers.map((browser) => send(browser, `${link}/accept`)),
    newcomer.post(link, fresh),
  ]);
  assert.equal(answers.filter(({ status }) => status === 303).length, 1);
  assert.equal(answers.filter(({ status }) => status === 404).length, 4);
  assert.equal((await the.sql("SELECT FROM membership WHERE project_id = $1", [the.project.id])).length, 2);
});

test("an invitation is over after seven days, when it is withdrawn, when a newer one replaces it, or its sender is removed", async () => {
  await using the = await world({ alone: true });
  const owner = await the.signedIn();
  const gone = async (link: string) => (await the.browser().get(link)).status === 404;
  const old = await invite(the, owner, "old@example.org");
  await the.sql("UPDATE store.invitation SET expires_at = now()");
  assert.ok(await gone(old));
  const first = await invite(the, owner, "twice@example.org");
  const second = await invite(the, owner, "TWICE@example.org");
  assert.deepEqual([await gone(first), await gone(second)], [true, false]);
  const page = await (await owner.get(membersOf(the))).text();
  await send(owner, /action="([^"]+\/withdraw)"/.exec(page)?.[1] ?? "");
  assert.ok(await gone(second));
  const admin = await the.newPerson("Adm");
  await the.join(admin, the.project.id, "admin");
  const third = await invite(the, await the.signedIn(admin), "third@example.org");
  await send(owner, `${membersOf(the)}/${admin.id}/role`, { role: "editor" });
  assert.ok(await gone(third));
  assert.equal((await the.browser().get("/invitation/lgi_nonsense")).status, 404);
});

test("a member cannot accept their own invitation, and members cannot be invited again", async () => {
  await using the = await world({ alone: true });
  const owner = await the.signedIn();
  const link = await invite(the, owner, "friend@example.org");
  const own = await send(owner, `${link}/accept`);
  assert.equal(own.status, 409);
  assert.match(await read(own), /already in this project/);
  assert.equal((await the.browser().get(link)).status, 200, "it stays open for whom it was meant");
  const twice = await send(owner, `${membersOf(the)}/invite`, { email: the.person.email, role: "viewer" });
  assert.equal(twice.status, 409);
});

test("an admin manages everybody but owners; editors, viewers and non-members manage nobody", async () => {
  await using the = await world({ alone: true });
  const [admin, editor] = [await the.newPerson("Adm"), await the.newPerson("Edi")];
  await the.join(admin, the.project.id, "admin");
  await the.join(editor, the.project.id, "editor");
  const browser = await the.signedIn(admin);
  const members = membersOf(the);
  const page = await (await browser.get(members)).text();
  assert.ok(!page.includes('value="owner"'));
  const tries = [
    send(browser, `${members}/invite`, { email: "x@example.org", role: "owner" }),
    send(browser, `${members}/${editor.id}/role`, { role: "owner" }),
    send(browser, `${members}/${the.person.id}/role`, { role: "viewer" }),
    send(browser, `${members}/${the.person.id}/remove`),
  ];
  for (const answer of await Promise.all(tries)) assert.equal(answer.status, 403);
  assert.equal((await send(browser, `${members}/${editor.id}/role`, { role: "viewer" })).status, 303);
  assert.equal(await roleOf(the, editor.id), "viewer");
  const below = await the.signedIn(editor);
  assert.equal((await below.get(members)).status, 403);
  assert.equal((await send(below, `${members}/${admin.id}/remove`)).status, 403);
  const stranger = await the.signedIn(await the.newPerson("Stan"));
  assert.equal((await stranger.get(members)).status, 404);
  assert.equal((await send(stranger, `${members}/${admin.id}/remove`)).status, 404);
});

test("a removed member and their applications lose access from the next request on", async () => {
  await using the = await world({ alone: true });
  const editor = await the.newPerson("Edi");
  await the.join(editor, the.project.id, "editor");
  const browser = await the.signedIn(editor);
  const app = await Application.register(the);
  const tokens = await app.tokens(browser);
  const owner = await the.signedIn();
  assert.equal((await send(owner, `${membersOf(the)}/${editor.id}/remove`)).status, 303);
  assert.ok(!(await app.isActive(tokens.access)));
  assert.equal((await app.refresh(tokens.refresh)).status, 400);
  assert.equal((await browser.get(`/projects/${the.project.id}`)).status, 404);
  assert.ok(await isIn(browser), "the account itself stays");
  await the.join(editor, the.project.id, "editor");
  assert.ok(!(await app.isActive(tokens.access)), "coming back does not bring them back");
});

test("a code that is exchanged while its person is removed leaves no valid access and no lock", async () => {
  await using the = await world({ alone: true });
  const owner = await the.signedIn();
  const app = await Application.register(the);
  const editor = await the.newPerson("Edi");
  const browser = await the.signedIn(editor);
  const taken: string[] = [];
  const noneLives = async () => {
    for (const token of taken) assert.equal(await app.isActive(token), false);
  };
  for (let round = 0; round < 8; round += 1) {
    await the.join(editor, the.project.id, "editor");
    await noneLives();
    const granted = await app.code(browser);
    const [exchanged, removed] = await Promise.all([
      exchange(the, granted),
      send(owner, `${membersOf(the)}/${editor.id}/remove`),
    ]);
    assert.ok([200, 400].includes(exchanged.status), `${exchanged.status}`);
    assert.equal(removed.status, 303);
    if (exchanged.status === 200) taken.push(...Object.values(await tokensOf(exchanged)));
    await noneLives();
  }
});

test("a project keeps its last owner, however demotions race", async () => {
  await using the = await world({ alone: true });
  const owner = await the.signedIn();
  const alone = await send(owner, `${membersOf(the)}/${the.person.id}/role`, { role: "viewer" });
  assert.equal(alone.status, 409);
  assert.match(await read(alone), /at least one owner/);
  const second = await the.newPerson("Second");
  await the.join(second, the.project.id, "owner");
  const other = await the.signedIn(second);
  await Promise.all([
    send(owner, `${membersOf(the)}/${second.id}/remove`),
    send(other, `${membersOf(the)}/${the.person.id}/remove`),
  ]);
  const owners = await the.sql("SELECT FROM membership WHERE project_id = $1 AND role = 'owner'", [
    the.project.id,
  ]);
  assert.equal(owners.length, 1);
});

test("the invitation's form needs its anti-forgery token, and keeps what was typed when it is refused", async () => {
  await using the = await world({ alone: true });
  const link = await invite(the, await the.signedIn(), "new@example.org");
  const bare = await the.browser().post(link, { name: "Mallory", password: "a long new sentence" });
  assert.equal(bare.status, 403);
  const browser = the.browser();
  const form = await formOf(await browser.get(link));
  const weak = await browser.post(link, { ...form.hidden, name: "Typed Name", password: "short" });
  assert.equal(weak.status, 400);
  assert.match(await weak.text(), /value="Typed Name"/);
  assert.equal((await joinAsNew(browser, link)).status, 303, "a refused try does not use the link up");
});
