import assert from "node:assert/strict";
import { test } from "node:test";
import { addLeads } from "../../api/support/leads.ts";
import { StreamReader } from "../../api/support/stream.ts";
import type { Browser } from "../../browser.ts";
import { earlier } from "../../citus/earlier.ts";
import { large } from "../../large.ts";
import { type World, world } from "../../world.ts";

const cookieOf = (browser: Browser): string =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Reports as the panel does that a lead is open, or was closed. */
async function report(
  browser: Browser,
  projectId: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  const Cookie = cookieOf(browser);
  const me = await fetch(`${browser.origin}/panel/api/me`, { headers: { Cookie } });
  const { token } = (await me.json()) as { token: string };
  return await fetch(`${browser.origin}/panel/api/presence/${projectId}`, {
    method: "POST",
    headers: { Cookie, "Content-Type": "application/json", "X-Form-Token": token, ...headers },
    body: JSON.stringify(body),
  });
}

const follow = (the: World, browser: Browser, projectId = the.project.id) =>
  StreamReader.open(`${browser.origin}/panel/api/${projectId}/v1/events/stream`, {
    Cookie: cookieOf(browser),
  });

const isPresence = ({ event, data }: { event: string; data: string }) => event === "presence" && data !== "";

const next = async (stream: StreamReader): Promise<unknown> =>
  JSON.parse((await stream.next(isPresence))?.data ?? "null");

test("who opens a lead is reported to the streams of people, once for several tabs, until the last one leaves", async () => {
  await using the = await world();
  const ana = await the.newPerson("Ana");
  await the.join(ana, the.project.id, "viewer");
  const [lead = ""] = await addLeads(the, [{}]);
  const [hers, ours] = [await the.signedIn(ana), await the.signedIn()];
  const stream = await follow(the, ours);
  const tell = async (viewer: string, is_open: boolean) =>
    assert.equal((await report(hers, the.project.id, { lead_id: lead, viewer, is_open })).status, 204);
  const seen = [{ lead_id: lead, id: ana.id, name: "Ana" }];
  await tell("one", true);
  assert.deepEqual(await next(stream), seen);
  await tell("two", true);
  await tell("one", false);
  const late = await follow(the, ours);
  assert.deepEqual(await next(late), seen);
  await tell("two", false);
  assert.deepEqual([await next(stream), await next(late)], [[], []]);
  stream.close();
  late.close();
});

large(
  "someone who does not report for a minute, or is no member any more, is not there, and their row goes with the next report",
  async () => {
    await using the = await world({ alone: true });
    const [ana, bia] = [await the.newPerson("Ana"), await the.newPerson("Bia")];
    for (const person of [ana, bia]) await the.join(person, the.project.id, "viewer");
    const [lead = ""] = await addLeads(the, [{}]);
    const [hers, other] = [await the.signedIn(ana), await the.signedIn(bia)];
    const stream = await follow(the, await the.signedIn());
    const open = (browser: Browser, viewer: string) =>
      report(browser, the.project.id, { lead_id: lead, viewer, is_open: true });
    await open(hers, "one");
    assert.deepEqual(await next(stream), [{ lead_id: lead, id: ana.id, name: "Ana" }]);
    await the.sql(`UPDATE store.presence SET seen_at = ${earlier("seen_at", "interval '61 seconds'")}`);
    assert.deepEqual(await next(stream), []);
    await open(other, "two");
    assert.deepEqual(await next(stream), [{ lead_id: lead, id: bia.id, name: "Bia" }]);
    assert.deepEqual(await the.sql("SELECT viewer FROM store.presence"), [{ viewer: "two" }]);
    await the.sql("DELETE FROM membership WHERE person_id = $1", [bia.id]);
    assert.deepEqual(await next(stream), []);
    stream.close();
  },
);

large(
  "a viewer at one instance is reported at another one too, until the last tab leaves at either",
  async () => {
    await using the = await world();
    await using other = await world({ env: { DATABASE_URL: the.databaseUrl } });
    const ana = await the.newPerson("Ana");
    await the.join(ana, the.project.id, "viewer");
    const [lead = ""] = await addLeads(the, [{}]);
    const hers = { here: await the.signedIn(ana), there: await other.signedIn(ana) };
    const [here, there] = [
      await follow(the, await the.signedIn()),
      await follow(the, await other.signedIn(the.person)),
    ];
    const tell = async (browser: Browser, viewer: string, is_open: boolean) =>
      assert.equal((await report(browser, the.project.id, { lead_id: lead, viewer, is_open })).status, 204);
    const seen = [{ lead_id: lead, id: ana.id, name: "Ana" }];
    await tell(hers.here, "one", true);
    assert.deepEqual([await next(there), await next(here)], [seen, seen]);
    await tell(hers.there, "two", true);
    await tell(hers.here, "one", false);
    const late = await follow(the, await the.signedIn());
    assert.deepEqual(await next(late), seen, "she has the lead open at the other instance");
    // through another instance than the one that was told
    await tell(hers.here, "two", false);
    for (const stream of [here, there, late]) {
      assert.deepEqual(await next(stream), []);
      stream.close();
    }
  },
);

test("people of another project are not reported, nor may they report here; keys never learn who is there", async () => {
  await using the = await world({ alone: true });
  const [ana, eve] = [await the.newPerson("Ana"), await the.newPerson("Eve")];
  await the.join(ana, the.project.id, "viewer");
  const foreign = await the.newProject(eve, "Other");
  const [lead = ""] = await addLeads(the, [{}]);
  const [hers, theirs] = [await the.signedIn(ana), await the.signedIn(eve)];
  const body = { lead_id: lead, viewer: "one", is_open: true };
  assert.equal((await report(theirs, the.project.id, body)).status, 404);
  // a lead of another project is nobody's
  assert.equal((await report(theirs, foreign.id, body)).status, 204);
  assert.deepEqual(await the.sql("SELECT FROM store.presence WHERE project_id = $1", [the.project.id]), []);
  const key = await the.key(["leads:read", "leads:write"]);
  const open = { Authorization: `Bearer ${key.text}` };
  const [mine, strange, keys] = [
    await follow(the, await the.signedIn()),
    await follow(the, theirs, foreign.id),
    await StreamReader.open(`${the.baseUrl}/api/v1/events/stream`, open),
  ];
  assert.equal((await report(hers, the.project.id, body)).status, 204);
  assert.equal(((await next(mine)) as unknown[]).length, 1);
  await key.send("POST", `/api/v1/leads/${lead}/events`, { type: "call.made" });
  assert.equal((await keys.next())?.event, "change");
  assert.equal((await report(theirs, foreign.id, { ...body, lead_id: "lead_none" })).status, 204);
  const end = strange.rest();
  strange.close();
  assert.ok((await end).every(({ event }) => event !== "presence"));
  for (const stream of [mine, keys]) stream.close();
});

test("a report needs the session's own token and known fields, and is no call of the API", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const body = { lead_id: "lead_x", viewer: "one", is_open: true };
  assert.equal((await report(browser, the.project.id, body, { "X-Form-Token": "" })).status, 403);
  assert.equal((await report(browser, the.project.id, { ...body, person_id: "per_x" })).status, 400);
  assert.equal(
    (await report(the.browser(), the.project.id, body).catch(() => ({ status: 401 }))).status,
    401,
  );
  const key = await the.key();
  assert.equal((await key.send("POST", `/api/presence/${the.project.id}`, body)).status, 404);
});
