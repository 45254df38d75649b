import assert from "node:assert/strict";
import { test } from "node:test";
import { endEverything } from "../../src/domain/upkeep/end-everything.ts";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { type KeyActor, world } from "../world.ts";
import { eraser } from "./support/erasing.ts";
import { planOf, statementsOf } from "./support/statements.ts";

interface Event {
  id: string;
  lead_id: string;
  type: string;
  data: object;
  [member: string]: unknown;
}

interface Page {
  events: Event[];
  next_cursor: string;
  has_more: boolean;
}

/** Reads the feed from a cursor to its end, `limit` events at a time. */
async function follow(
  key: KeyActor,
  cursor = "",
  query = "limit=2",
): Promise<{ seen: Event[]; cursor: string }> {
  const seen: Event[] = [];
  for (let more = true; more; ) {
    const path = `/api/v1/events?${query}${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const page: Page = await bodyOf<Page>(await key.send("GET", path));
    seen.push(...page.events);
    cursor = page.next_cursor;
    more = page.has_more;
  }
  return { seen, cursor };
}

const made = async (key: KeyActor, lead: object) =>
  (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;

const erase = async (key: KeyActor, id: string) =>
  assert.equal((await key.send("DELETE", `/api/v1/leads/${id}?erase=true`)).status, 204);

const told = (events: readonly Event[]) => events.map(({ type, lead_id }) => [type, lead_id]);

test("a reader that saw a lead created sees lead.erased, once and in its place, and nothing else of the lead is left", async () => {
  await using the = await world();
  const key = await eraser(the);
  const one = await made(key, { name: "Secret", email: "secret@example.org" });
  const two = await made(key, { name: "Stays" });
  const before = await follow(key);
  assert.deepEqual(told(before.seen), [
    ["lead.created", one],
    ["lead.created", two],
  ]);
  await erase(key, one);
  const three = await made(key, { name: "Later" });
  const after = await follow(key, before.cursor);
  assert.deepEqual(told(after.seen), [
    ["lead.erased", one],
    ["lead.created", three],
  ]);
  const [erased] = after.seen;
  assert.ok(erased !== undefined);
  assert.deepEqual(erased.data, {});
  assert.deepEqual([erased.external_id, erased.merged_from, erased.source], [null, null, "api"]);
  assert.deepEqual(erased.actor, { type: "key", id: key.id, label: "test" });
  assert.doesNotMatch(JSON.stringify(after.seen), /secret/i);
  assert.deepEqual((await follow(key, after.cursor)).seen, []);
  const fresh = await follow(key);
  assert.deepEqual(told(fresh.seen), [
    ["lead.created", two],
    ["lead.erased", one],
    ["lead.created", three],
  ]);
});

test("every erased lead of a merge has its own lead.erased, also for readers that ask for types", async () => {
  await using the = await world();
  const key = await eraser(the);
  const winner = await made(key, { name: "W", email: "w@example.org" });
  const loser = await made(key, { name: "L", email: "l@example.org" });
  await bodyOf(await key.send("POST", `/api/v1/leads/${winner}/merge`, { with: loser }));
  await erase(key, winner);
  for (const types of ["lead.erased", "lead.*", "call.made,lead.erased"]) {
    const { seen } = await follow(key, "", `limit=1&types=${types}`);
    assert.deepEqual(
      told(seen),
      [winner, loser].sort().map((id) => ["lead.erased", id]),
      types,
    );
  }
  assert.deepEqual((await follow(key, "", "limit=5&types=call.made")).seen, []);
});

test("lead.erased is shown in its own project only, and goes with it", async () => {
  await using the = await world();
  const key = await eraser(the);
  const other = await the.newProject(the.person, "Other");
  const stranger = await eraser(the, other.id);
  await erase(key, await made(key, { name: "Secret" }));
  assert.deepEqual((await follow(stranger)).seen, []);
  assert.equal((await follow(key)).seen.length, 1);
});

test("after a restored backup, a reader that starts again still sees lead.erased, before everything new", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const one = await made(key, { name: "Secret" });
  await erase(key, one);
  // the cluster of the backup had come further than this one
  await the.sql("UPDATE store.tombstone SET tx = '900000000000'");
  await endEverything(the.service);
  const two = await made(key, { name: "Later" });
  assert.deepEqual(told((await follow(key)).seen), [
    ["lead.erased", one],
    ["lead.created", two],
  ]);
});

test("the feed reads events, last words and untracked changes by their indexes, whatever there is before the cursor", async () => {
  await using the = await world();
  const key = await eraser(the);
  const lead = await made(key, { name: "Stays" });
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, actor)
     SELECT $1, 'evt_' || lpad(i::text, 26, '0'), $2, 'call.made', now(), 'x', '{"type": "cli", "id": null, "label": "test"}'
     FROM generate_series(1, 3000) i`,
    [the.project.id, lead],
  );
  await the.sql(
    `INSERT INTO store.tombstone (project_id, id, lead_id, type, source, actor)
     SELECT $1, 'evt_e' || lpad(i::text, 25, '0'), 'lead_' || i, 'lead.erased', 'api', '{"type": "cli", "id": null, "label": "test"}'
     FROM generate_series(1, 3000) i`,
    [the.project.id],
  );
  await the.sql(
    `INSERT INTO store.change (project_id, id, kind, surface, actor)
     VALUES ($1, 'chg_1', 'bulk', 'api', '{"type": "cli", "id": null, "label": "test"}')`,
    [the.project.id],
  );
  await the.sql(
    `INSERT INTO store.change_item (project_id, change_id, id, kind, record_id, before, after, told)
     SELECT $1, 'chg_1', 'evt_i' || lpad(i::text, 25, '0'), 'lead', $2, '{"score": 1}', '{"score": 2}', i > 3000
     FROM generate_series(1, 6000) i`,
    [the.project.id, lead],
  );
  for (const table of ["event", "tombstone", "change", "change_item"])
    await the.sql(`ANALYZE store.${table}`);
  let seen: Event[] = [];
  const sent = await statementsOf(async () => {
    ({ seen } = await follow(key, "", "limit=500"));
  });
  assert.equal(seen.length, 9_001);
  const pages = sent.filter(({ text }) => text.includes("tombstone"));
  assert.equal(pages.length, 19);
  for (const page of pages) {
    const plan = await planOf(the, page);
    const used = plan.map((node) => node["Index Name"]);
    for (const index of ["event_feed", "tombstone_feed", "change_item_feed"])
      assert.ok(used.includes(index), JSON.stringify(used));
    assert.ok(
      !plan.some(
        (node) =>
          node["Node Type"] === "Seq Scan" &&
          /^(event|tombstone|change_item)$/.test(node["Relation Name"] ?? ""),
      ),
    );
  }
});

test("an encoded erase=true erases, too", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  for (const query of ["erase=%74rue", "%65rase=true"]) {
    const made = await key.send("POST", "/api/v1/leads", { name: "Zoe" });
    const { id } = (await made.json()) as { id: string };
    assert.equal((await key.send("DELETE", `/api/v1/leads/${id}?${query}`)).status, 204);
    assert.deepEqual(await the.sql("SELECT id FROM store.lead"), [], query);
  }
});
