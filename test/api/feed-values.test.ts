import assert from "node:assert/strict";
import { test } from "node:test";
import { eraser } from "../erasure/support/erasing.ts";
import { type KeyActor, world } from "../world.ts";
import { bodyOf } from "./support/v1.ts";
import { leadOf, type Record_, refusalOf } from "./support/writing.ts";

interface FeedEvent {
  id: string;
  lead_id: string;
  type: string;
  source: string;
  actor: object;
  title: string;
  data: object;
  changes: object[];
  change_id: string | null;
}

interface Page {
  events: FeedEvent[];
  leads?: Record_[];
  next_cursor: string;
  has_more: boolean;
}

const feed = async (key: KeyActor, query = "") =>
  await bodyOf<Page>(await key.send("GET", `/api/v1/events?${query}`));

const made = async (key: KeyActor, lead: object) =>
  (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;

test("an event of the feed has the fields that changed, with their values, and its change", async () => {
  await using the = await world();
  const key = await eraser(the);
  const id = await made(key, { name: "Ana" });
  const changed = await key.send("PATCH", `/api/v1/leads/${id}`, { name: "Bea", score: 3 });
  await key.send("DELETE", `/api/v1/leads/${id}`);
  await key.send("POST", `/api/v1/leads/${id}/restore`);
  await key.send("POST", `/api/v1/leads/${id}/events`, {
    type: "call.made",
    data: { field: "x", from: 1, to: 2 },
  });
  const { events } = await feed(key);
  assert.deepEqual(
    events.map(({ type, changes }) => [type, ...changes]),
    [
      ["lead.created"],
      ["lead.updated", { field: "name", from: "Ana", to: "Bea" }],
      ["lead.updated", { field: "score", from: null, to: 3 }],
      ["lead.deleted", { field: "deleted_at", from: null, to: Object(events[3]?.changes[0]).to }],
      ["lead.restored", { field: "deleted_at", from: Object(events[3]?.changes[0]).to, to: null }],
      ["call.made"],
    ],
  );
  assert.equal(events[1]?.change_id, changed.headers.get("X-Leadgate-Change"));
  assert.equal(events[1]?.change_id, events[2]?.change_id);
  const { events: timeline } = await bodyOf<Page>(
    await key.send("GET", `/api/v1/leads/${id}/events?order=asc`),
  );
  assert.deepEqual(
    timeline.map(({ change_id }) => change_id),
    events.map(({ change_id }) => change_id),
  );
});

test("the feed reports changes of untracked fields, which timelines leave out, as one event per lead and change", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const id = await made(key, { name: "Ana" });
  await bodyOf(await key.send("PUT", "/api/v1/quiet-fields", { fields: ["score", "city"] }));
  const { next_cursor: cursor } = await feed(key, "since=now");
  const changed = await key.send("PATCH", `/api/v1/leads/${id}`, { city: "Porto", score: 5, name: "Bea" });
  for (const types of ["", "&types=lead.updated", "&types=lead.*", "&types=call.made"]) {
    const start = types === "" ? cursor : (await feed(key, `since=now${types}`)).next_cursor;
    if (types !== "") await key.send("PATCH", `/api/v1/leads/${id}`, { city: types, score: 1 });
    const { events } = await feed(key, `cursor=${start}${types}`);
    const untracked = events.filter(({ title }) => title === "Untracked fields changed");
    assert.equal(untracked.length, types === "&types=call.made" ? 0 : 1, types);
    if (types !== "") continue;
    const [event] = untracked;
    assert.ok(event !== undefined);
    assert.deepEqual(event.changes, [
      { field: "city", from: null, to: "Porto" },
      { field: "score", from: null, to: 5 },
    ]);
    assert.deepEqual(
      [event.type, event.lead_id, event.source, event.data, event.change_id],
      ["lead.updated", id, "api", {}, changed.headers.get("X-Leadgate-Change")],
    );
    assert.deepEqual(event.actor, { type: "key", id: key.id, label: "test" });
    assert.deepEqual(
      events.map(({ changes }) => changes.length),
      [1, 2],
    );
  }
  assert.ok(
    (await the.sql<{ type: string }>("SELECT type FROM store.event")).length <= 3,
    "no timeline has them",
  );
});

test("the last event of a merged lead names the survivor, whose own event is as before", async () => {
  await using the = await world();
  const key = await eraser(the);
  const [winner, loser] = [await made(key, { name: "W" }), await made(key, { name: "L" })];
  const { next_cursor: cursor } = await feed(key, "since=now");
  const merged = await key.send("POST", `/api/v1/leads/${winner}/merge`, { with: loser });
  const { merge_id } = await bodyOf<{ merge_id: string }>(merged);
  const { events } = await feed(key, `cursor=${cursor}`);
  const about = new Map(
    events.filter(({ type }) => type === "lead.merged").map((event) => [event.lead_id, event]),
  );
  assert.deepEqual(about.get(loser)?.data, { survivor_id: winner });
  assert.deepEqual(about.get(winner)?.data, { merge_id, lead_id: loser });
  assert.equal(about.get(loser)?.change_id, about.get(winner)?.change_id);
});

test("with snapshot=true a page has each of its leads once, as GET shows it, and none that is gone", async () => {
  await using the = await world();
  const key = await eraser(the);
  const names = ["kept", "deleted", "merged", "erased"];
  const [kept = "", deleted = "", merged = "", erased = ""] = await Promise.all(
    names.map((name) => made(key, { name, tags: ["a"] })),
  );
  await key.send("PATCH", `/api/v1/leads/${kept}`, { score: 1, city: "Porto" });
  await key.send("DELETE", `/api/v1/leads/${deleted}`);
  await key.send("POST", `/api/v1/leads/${kept}/merge`, { with: merged });
  await key.send("DELETE", `/api/v1/leads/${erased}?erase=true`);
  const page = await feed(key, "snapshot=true");
  assert.deepEqual(
    [...new Set(page.events.map(({ lead_id }) => lead_id))].sort(),
    [kept, deleted, merged, erased].sort(),
  );
  assert.deepEqual(page.leads, [await leadOf(await key.send("GET", `/api/v1/leads/${kept}`))]);
  assert.deepEqual((await feed(key, "snapshot=true&types=call.made")).leads, []);
  assert.equal((await feed(key)).leads, undefined);
  assert.equal((await refusalOf(await key.send("GET", "/api/v1/events?snapshot=yes"))).status, 400);
  const one = await feed(key, "snapshot=true&limit=1");
  assert.equal(one.leads?.length ?? 0, one.events[0]?.lead_id === kept ? 1 : 0);
});
