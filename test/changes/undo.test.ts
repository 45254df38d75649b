import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, type Record_, refusalOf, writer } from "../api/support/writing.ts";
import { type KeyActor, type World, world } from "../world.ts";

interface UndoBody {
  change_id: string | null;
  state: string;
  counts: Record<string, number>;
  records: {
    id: string;
    name: string | null;
    outcome: string;
    put_back: string[];
    kept: { field: string | null; reason: string; by: { label: string } | null; change_id: string | null }[];
  }[];
}

const NONE = { put_back: 0, deleted: 0, restored: 0, withdrawn: 0, kept: 0 };

const changeOf = async (response: Response): Promise<string> => {
  const text = await response.text();
  assert.ok(response.ok, text);
  const id = response.headers.get("x-leadgate-change");
  assert.ok(id !== null, "the answer names no change");
  return id;
};

const undo = async (key: KeyActor, id: string, body: object = {}): Promise<UndoBody> =>
  await bodyOf<UndoBody>(await key.send("POST", `/api/v1/changes/${id}/undo`, body));

const read = async (key: KeyActor, id: string): Promise<Record_> =>
  await leadOf(await key.send("GET", `/api/v1/leads/${id}`));

async function create(key: KeyActor, lead: object): Promise<Record_> {
  return await leadOf(await key.send("POST", "/api/v1/leads", lead), 201);
}

const second = async (the: World): Promise<KeyActor> => await the.key(["leads:read", "leads:write"]);

test("an undo puts former values back, and undoing it makes the change again", async () => {
  await using the = await world();
  const key = await writer(the);
  const { id } = await create(key, { name: "Ana", score: 1, tags: ["a"] });
  const change = await changeOf(
    await key.send("PATCH", `/api/v1/leads/${id}`, { score: 5, name: null, phone: "+55 11 91234-5678" }),
  );
  const undone = await undo(key, change);
  assert.deepEqual(undone.counts, { ...NONE, put_back: 1 });
  assert.deepEqual(undone.records[0]?.put_back, ["name", "phone", "score"]);
  const back = await read(key, id);
  assert.deepEqual([back.name, back.score, back.phone, back.phone_e164], ["Ana", 1, null, null]);
  const again = await undo(key, undone.change_id ?? "");
  assert.deepEqual(again.counts, { ...NONE, put_back: 1 });
  const redone = await read(key, id);
  assert.deepEqual([redone.name, redone.score, redone.phone_e164], [null, 5, "+5511912345678"]);
  assert.equal((await undo(key, change)).counts.put_back, 1);
});

test("what somebody changed since is kept and named, even if it was set to the same value again", async () => {
  await using the = await world();
  const key = await writer(the);
  const other = await second(the);
  const { id } = await create(key, { status: "new", city: "Natal", score: 1 });
  const change = await changeOf(
    await key.send("PATCH", `/api/v1/leads/${id}`, { status: "lost", city: "Recife", score: 2 }),
  );
  await changeOf(await other.send("PATCH", `/api/v1/leads/${id}`, { city: "Olinda", status: "won" }));
  const since = await changeOf(await other.send("PATCH", `/api/v1/leads/${id}`, { status: "lost" }));
  const dry = await undo(key, change, { dry_run: true });
  const done = await undo(key, change);
  assert.deepEqual(dry, { ...done, change_id: null, dry_run: true });
  assert.deepEqual(done.records[0]?.put_back, ["score"]);
  assert.deepEqual(
    done.records[0]?.kept.map(({ field, reason }) => [field, reason]),
    [
      ["city", "changed_since"],
      ["status", "changed_since"],
    ],
  );
  assert.equal(done.records[0]?.kept[1]?.change_id, since);
  const now = await read(key, id);
  assert.deepEqual([now.status, now.city, now.score], ["lost", "Olinda", 1]);
});

test("a change that was undone itself does not keep an earlier one", async () => {
  await using the = await world();
  const key = await writer(the);
  const { id } = await create(key, { score: 1 });
  const first = await changeOf(await key.send("PATCH", `/api/v1/leads/${id}`, { score: 2 }));
  const next = await changeOf(await key.send("PATCH", `/api/v1/leads/${id}`, { score: 3 }));
  await undo(key, next);
  assert.equal((await undo(key, first)).counts.kept, 0);
  assert.equal((await read(key, id)).score, 1);
});

test("created leads are deleted if untouched, deleted ones come back, and lists lose only the difference", async () => {
  await using the = await world();
  const key = await writer(the);
  const items = [{ name: "one" }, { name: "two" }, { name: "three", tags: ["x"] }];
  const made = await key.send("POST", "/api/v1/leads/bulk", { op: "create", items });
  const create = made.headers.get("x-leadgate-change") ?? "";
  const { results } = await bodyOf<{ results: { id: string }[] }>(made);
  const [one = "", two = "", three = ""] = results.map(({ id }) => id);
  const tags = await changeOf(
    await key.send("POST", "/api/v1/leads/bulk", { op: "tag_add", tags: ["hot"], items: [{ id: three }] }),
  );
  await changeOf(await key.send("PATCH", `/api/v1/leads/${three}`, { tags: ["hot", "late"] }));
  await undo(key, tags);
  assert.deepEqual((await read(key, three)).tags, ["late"]);
  await changeOf(await key.send("POST", `/api/v1/leads/${two}/events`, { type: "call.made" }));
  const done = await undo(key, create);
  assert.deepEqual(done.counts, { ...NONE, deleted: 1, kept: 2 });
  assert.deepEqual(
    done.records.map(({ id, kept }) => [id, kept[0]?.reason]),
    [
      [two, "has_events"],
      [three, "changed_since"],
      [one, undefined],
    ],
  );
  assert.equal((await key.send("GET", `/api/v1/leads/${one}`)).status, 404);
  const redo = await undo(key, done.change_id ?? "");
  assert.deepEqual(redo.counts, { ...NONE, restored: 1 });
  assert.equal((await read(key, one)).name, "one");
});

test("recorded events are withdrawn, with the activity that they moved, and come back with the redo", async () => {
  await using the = await world();
  const key = await writer(the);
  const { id } = await create(key, { name: "Ana" });
  await changeOf(
    await key.send("POST", `/api/v1/leads/${id}/events`, {
      type: "call.made",
      occurred_at: "2026-01-02T00:00:00Z",
    }),
  );
  const later = await changeOf(
    await key.send("POST", `/api/v1/leads/${id}/events`, {
      type: "call.made",
      occurred_at: "2026-03-04T00:00:00Z",
    }),
  );
  const done = await undo(key, later);
  assert.deepEqual(done.counts, { ...NONE, withdrawn: 1 });
  assert.equal((await read(key, id)).last_activity_at, "2026-01-02T00:00:00+00:00");
  await undo(key, done.change_id ?? "");
  assert.equal((await read(key, id)).last_activity_at, "2026-03-04T00:00:00+00:00");
});

test("external ids that a change exchanged are exchanged back", async () => {
  await using the = await world();
  const key = await writer(the);
  const one = await create(key, { external_id: "x" });
  const two = await create(key, { external_id: "y" });
  await changeOf(await key.send("PATCH", `/api/v1/leads/${one.id}`, { external_id: null }));
  const moved = await changeOf(await key.send("PATCH", `/api/v1/leads/${two.id}`, { external_id: "x" }));
  const third = await create(key, { external_id: "y" });
  const refused = await undo(key, moved);
  assert.deepEqual(
    refused.records[0]?.kept.map(({ field, reason }) => [field, reason]),
    [["external_id", "taken"]],
  );
  await changeOf(await key.send("DELETE", `/api/v1/leads/${third.id}`));
  assert.equal((await undo(key, moved)).counts.put_back, 1);
  assert.equal((await read(key, two.id)).external_id, "y");
});

test("a merge is undone and made again by its change", async () => {
  await using the = await world();
  const key = await writer(the);
  const winner = await create(key, { name: "Ana" });
  const loser = await create(key, { name: "A.", city: "Natal" });
  const merged = await changeOf(
    await key.send("POST", `/api/v1/leads/${winner.id}/merge`, { with: loser.id }),
  );
  const done = await undo(key, merged);
  assert.equal((await read(key, winner.id)).city, null);
  assert.equal((await read(key, loser.id)).city, "Natal");
  await undo(key, done.change_id ?? "");
  assert.equal((await read(key, winner.id)).city, "Natal");
  assert.equal((await key.send("GET", `/api/v1/leads/${loser.id}`)).status, 404);
});

test("only the author, an owner or an admin may undo a change", async () => {
  await using the = await world();
  const key = await writer(the);
  const other = await second(the);
  const { id } = await create(key, { score: 1 });
  const change = await changeOf(await key.send("PATCH", `/api/v1/leads/${id}`, { score: 2 }));
  const refused = await refusalOf(await other.send("POST", `/api/v1/changes/${change}/undo`, {}));
  assert.deepEqual([refused.status, refused.code], [403, "not_yours"]);
  const reader = await the.key(["leads:read"]);
  assert.equal((await reader.send("POST", `/api/v1/changes/${change}/undo`, {})).status, 403);
});

test("of two callers who undo a change at once, one does", async () => {
  await using the = await world();
  const key = await writer(the);
  const { id } = await create(key, { score: 1 });
  const change = await changeOf(await key.send("PATCH", `/api/v1/leads/${id}`, { score: 2 }));
  const answers = await Promise.all(
    Array.from(
      { length: 4 },
      async () => (await key.send("POST", `/api/v1/changes/${change}/undo`, {})).status,
    ),
  );
  assert.deepEqual(answers.sort(), [200, 409, 409, 409]);
});
