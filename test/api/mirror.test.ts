import assert from "node:assert/strict";
import { test } from "node:test";
import { endEverything } from "../../src/domain/upkeep/end-everything.ts";
import { eraser } from "../erasure/support/erasing.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { large } from "../large.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { allLeads, Mirror } from "./support/mirror.ts";
import { bodyOf } from "./support/v1.ts";
import { leadOf, type Record_, refusalOf } from "./support/writing.ts";

/** Writes of every kind, again and again, until it is told to stop. */
async function busy(
  key: KeyActor,
  leads: readonly Record_[],
  seed: number,
  stop: AbortSignal,
): Promise<number> {
  const send = async (...args: Parameters<KeyActor["send"]>) => await (await key.send(...args)).text();
  let writes = 0;
  for (let n = seed; !stop.aborted; n += 7) {
    const at = (i: number) => `/api/v1/leads/${leads[i % leads.length]?.id}`;
    const created_at = `20${10 + (n % 10)}-01-01T00:00:00Z`;
    const made = await send("POST", "/api/v1/leads", {
      name: `new ${n}`,
      ...(n % 2 === 0 ? { created_at } : {}),
    });
    await send("PATCH", at(n), { score: n });
    // only fields that timelines leave out
    await send("PATCH", at(n + 4), { city: `city ${n}`, custom: { shelf: `s${n}` } });
    await send("DELETE", at(n + 1));
    if (n % 3 === 0) await send("POST", `${at(n + 1)}/restore`);
    const merged = await send("POST", `${at(n + 2)}/merge`, { with: leads[(n + 3) % leads.length]?.id });
    const { merge_id } = JSON.parse(merged) as { merge_id?: string };
    if (merge_id !== undefined && n % 2 === 0) await send("POST", `/api/v1/merges/${merge_id}/undo`);
    await send("PUT", "/api/v1/leads/upsert", { lead: { external_id: `crm-${n % 5}`, company: `c${n}` } });
    await send("POST", `${at(n + 5)}/events`, { type: "call.made" });
    await send("POST", "/api/v1/leads/bulk", {
      op: "update",
      items: [0, 1, 2].map((i) => ({ id: leads[(n + i) % leads.length]?.id, value: n + i, city: `b${n}` })),
    });
    const { id } = JSON.parse(made) as { id: string };
    if (n % 4 === 0) await send("DELETE", `/api/v1/leads/${id}?erase=true`);
    writes += 1;
  }
  return writes;
}

/** Imports new leads and changes of old ones, and undoes every other import, until it is told to stop. */
async function importing(the: World, key: KeyActor, stop: AbortSignal): Promise<number> {
  let imports = 0;
  for (; !stop.aborted; imports += 1) {
    const rows = [0, 1, 2, 3].map((i) => `imp-${(imports + i) % 9},import ${imports},${i}`);
    const { id } = await uploaded(the, key, ["External id,Name,Score", ...rows].join("\n"));
    const { state } = await acted(key, id, "commit");
    assert.equal(state, "done");
    if (imports % 2 === 1) await acted(key, id, "undo");
  }
  return imports;
}

/** A project with leads, one custom field and one standard field that timelines leave out. */
async function started(the: World, count: number): Promise<{ key: KeyActor; leads: Record_[] }> {
  const key = await eraser(the);
  await bodyOf(
    await key.send("POST", "/api/v1/fields", { key: "shelf", label: "Shelf", type: "text", timeline: false }),
    201,
  );
  await bodyOf(await key.send("PUT", "/api/v1/quiet-fields", { fields: ["city"] }));
  const items = Array.from({ length: count }, (_, i) => ({ name: `lead ${i}` }));
  await bodyOf(await key.send("POST", "/api/v1/leads/bulk", { op: "create", items }));
  return { key, leads: [...(await allLeads(key.send)).values()] };
}

large(
  "a mirror made by the sync, then by the feed with snapshots, equals the project, whatever is written meanwhile",
  async () => {
    await using the = await world();
    const { key, leads } = await started(the, 120);
    const stop = new AbortController();
    const writers = [1, 2, 3].map((seed) => busy(key, leads, seed, stop.signal));
    writers.push(importing(the, key, stop.signal));
    const mirror = new Mirror(key.send);
    await mirror.sync(10);
    // The writers go on while the mirror follows the feed.
    while (mirror.events < 600) await mirror.follow(50);
    stop.abort();
    assert.ok((await Promise.all(writers)).every((count) => count > 0));
    const stored = await allLeads(key.send);
    await mirror.follow();
    assert.ok(stored.size > 50, "the writers left something");
    assert.deepEqual([...mirror.leads.keys()].sort(), [...stored.keys()].sort());
    for (const [id, lead] of stored) assert.deepEqual(mirror.leads.get(id), lead);
  },
);

test("the sync has each lead once, in the order of ids, and its feed has what was written since its first page", async () => {
  await using the = await world();
  const { key, leads } = await started(the, 7);
  const sync = async (body: object) =>
    await bodyOf<{ leads: Record_[]; next_cursor: string | null; feed_cursor: string | null }>(
      await key.send("POST", "/api/v1/sync", body),
    );
  const first = await sync({ limit: 3 });
  const [one, last] = [leads[0]?.id, leads.at(-1)?.id];
  const created = await leadOf(await key.send("POST", "/api/v1/leads", { name: "later" }), 201);
  await key.send("DELETE", `/api/v1/leads/${first.leads[0]?.id}`);
  const pages = [first];
  for (let page = first; page.next_cursor !== null; pages.push(page)) {
    assert.equal(page.feed_cursor, null);
    page = await sync({ limit: 3, cursor: page.next_cursor });
  }
  const ids = pages.flatMap((page) => page.leads.map(({ id }) => id));
  assert.deepEqual(ids, [...new Set(ids)].sort());
  assert.ok(ids.includes(one ?? "") && ids.includes(last ?? ""));
  assert.deepEqual(first.leads[0], {
    ...(await leadOf(await key.send("GET", `/api/v1/leads/${first.leads[0]?.id}?deleted=true`))),
    ...{ deleted_at: null, version: first.leads[0]?.version, updated_at: first.leads[0]?.updated_at },
  });
  const { events } = await bodyOf<{ events: { lead_id: string; type: string }[] }>(
    await key.send("GET", `/api/v1/events?cursor=${pages.at(-1)?.feed_cursor}`),
  );
  assert.deepEqual(
    events.map(({ lead_id, type }) => [lead_id, type]),
    [
      [created.id, "lead.created"],
      [first.leads[0]?.id, "lead.deleted"],
    ],
  );
  const empty = await the.newProject(the.person, "Empty");
  const stranger = await eraser(the, empty.id);
  const none = await bodyOf<{ leads: object[]; next_cursor: null; feed_cursor: string }>(
    await stranger.send("POST", "/api/v1/sync", {}),
  );
  assert.deepEqual([none.leads, none.next_cursor, typeof none.feed_cursor], [[], null, "string"]);
});

test("a cursor of the sync belongs to its project, and ends with a restored backup", async () => {
  await using the = await world();
  const { key } = await started(the, 3);
  const first = await bodyOf<{ next_cursor: string }>(await key.send("POST", "/api/v1/sync", { limit: 1 }));
  const other = await the.newProject(the.person, "Other");
  const stranger = await eraser(the, other.id);
  const next = { cursor: first.next_cursor };
  for (const body of [next, { cursor: "x" }])
    assert.equal((await refusalOf(await stranger.send("POST", "/api/v1/sync", body))).code, "bad_cursor");
  assert.equal((await refusalOf(await key.send("POST", "/api/v1/sync", { limit: 501 }))).status, 400);
  await endEverything(the.service);
  const refused = await refusalOf(await key.send("POST", "/api/v1/sync", next));
  assert.deepEqual([refused.status, refused.code], [400, "cursor_of_former_epoch"]);
});
