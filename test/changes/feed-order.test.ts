import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { StreamReader } from "../api/support/stream.ts";
import { bodyOf } from "../api/support/v1.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { large, test } from "../large.ts";
import { lockWaits } from "../lock-waits.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { idOf, mustBeInOrder } from "./support/feed-order.ts";
import { raceWriters } from "./support/race-writers.ts";

/** Three leads in the order in which writers lock them. */
type Leads = readonly { id: string; external_id: string }[];

interface Writer {
  /** What is there before, such as the change to undo. */
  before?(key: KeyActor, leads: Leads): Promise<string>;
  write(the: World, key: KeyActor, leads: Leads, before: string): Promise<unknown>;
}

const ok = async (answer: Promise<Response>): Promise<Response> => {
  const response = await answer;
  assert.ok(response.ok, await response.clone().text());
  return response;
};
const bulk = (key: KeyActor, body: object) => ok(key.send("POST", "/api/v1/leads/bulk", body));
const itemsOf = (leads: Leads) => leads.map(({ id }) => ({ id }));
const changeOf = (response: Response) =>
  response.headers.get("x-leadgate-change") ?? assert.fail("no change");
const set = (key: KeyActor, leads: Leads, value: object) =>
  bulk(key, { op: "set", set: value, items: itemsOf(leads) });

/** Everything that tells something about several leads at once. */
const WRITERS: Record<string, Writer> = {
  "a bulk set": { write: (_, key, leads) => set(key, leads, { city: "late" }) },
  "a bulk call that adds tags": {
    write: (_, key, leads) => bulk(key, { op: "tag_add", tags: ["late"], items: itemsOf(leads) }),
  },
  "a bulk deletion": { write: (_, key, leads) => bulk(key, { op: "delete", items: itemsOf(leads) }) },
  "a bulk upsert": {
    write: (_, key, leads) =>
      bulk(key, {
        op: "upsert",
        match_on: "external_id",
        items: leads.map(({ external_id }) => ({ external_id, city: "late" })),
      }),
  },
  "an import": {
    async write(the, key, leads) {
      const rows = leads.map(({ external_id }) => `${external_id},late\n`);
      const { id } = await uploaded(the, key, `external_id,city\n${rows.join("")}`);
      const mapping = { columns: { external_id: "external_id", city: "city" } };
      await bodyOf(await key.send("PUT", `/api/v1/imports/${id}/mapping`, mapping));
      assert.equal((await acted(key, id, "commit")).state, "done");
    },
  },
  "the undo of a change": {
    before: async (key, leads) => changeOf(await set(key, leads, { score: 5, company: "Natal Ltd" })),
    write: (_, key, __, change) => ok(key.send("POST", `/api/v1/changes/${change}/undo`, {})),
  },
  "the undo of recorded events": {
    before: async (key, leads) => changeOf(await ok(key.send("POST", "/api/v1/events/batch", calls(leads)))),
    write: (_, key, __, change) => ok(key.send("POST", `/api/v1/changes/${change}/undo`, {})),
  },
  "the return of withdrawn events": {
    async before(key, leads) {
      const change = changeOf(await ok(key.send("POST", "/api/v1/events/batch", calls(leads))));
      return changeOf(await ok(key.send("POST", `/api/v1/changes/${change}/undo`, {})));
    },
    write: (_, key, __, change) => ok(key.send("POST", `/api/v1/changes/${change}/undo`, {})),
  },
  "a batch of events": {
    write: (_, key, leads) => ok(key.send("POST", "/api/v1/events/batch", calls(leads))),
  },
  "a change of an untracked field": {
    async before(key) {
      await ok(key.send("PUT", "/api/v1/quiet-fields", { fields: ["city", "score"] }));
      return "";
    },
    write: (_, key, leads) => set(key, leads, { city: "late" }),
  },
  "the removal of a custom field": {
    async before(key, leads) {
      await ok(key.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" }));
      await set(key, leads, { custom: { plan: "gold" } });
      return "";
    },
    write: (_, key) => ok(key.send("DELETE", "/api/v1/fields/plan?force=true")),
  },
};

const calls = (leads: Leads) => ({ events: leads.map(({ id }) => ({ lead_id: id, type: "call.made" })) });

for (const [name, { before, write }] of Object.entries(WRITERS))
  test(`the feed tells ${name} behind what another writer did to the lead first, although it began later`, async () => {
    await using the = await world();
    const key = await the.key(["leads:read", "leads:write", "schema:write"]);
    const given = [1, 2, 3].map((n) => ({
      name: `Ana ${n}`,
      external_id: `e${n}`,
      city: "early",
      custom: {},
    }));
    const { results } = await bodyOf<{ results: { id: string }[] }>(
      await bulk(key, { op: "create", items: given }),
    );
    const leads = results.map(({ id }, i) => ({ id, external_id: `e${i + 1}` }));
    const [, waited, raced] = leads;
    assert.ok(waited !== undefined && raced !== undefined);
    const made = (await before?.(key, leads)) ?? "";
    // The writer has its transaction id with the lock of the first lead, waits for the second, and has not locked the third.
    const holder = new pg.Client({ connectionString: the.databaseUrl });
    await holder.connect();
    await holder.query("BEGIN");
    const held = "SELECT FROM store.lead WHERE project_id = $1 AND id = $2 FOR UPDATE";
    await holder.query(held, [the.project.id, waited.id]);
    const written = write(the, key, leads, made);
    while ((await lockWaits(the)) === 0) await sleep(10);
    const first = changeOf(
      await ok(key.send("PATCH", `/api/v1/leads/${raced.id}`, { city: "between", score: 7 })),
    );
    await holder.query("COMMIT");
    await holder.end();
    await written;
    const events = await mustBeInOrder(the, key);
    const own = events.filter(({ lead_id }) => lead_id === raced.id);
    assert.notEqual(own.at(-1)?.change_id, first, "the writer's event is the last");
  });

/** ROUNDS=10000 plays that many instead. */
const ROUNDS = Number(process.env.ROUNDS ?? 200);

/** Plays rounds, twenty in each project. */
async function raced(all: number): Promise<void> {
  for (let round = 0; round < all; round += 20) {
    await using the = await world();
    const key = await the.key(["leads:read", "leads:write", "schema:write"]);
    if (round % 40 === 0) await ok(key.send("PUT", "/api/v1/quiet-fields", { fields: ["company", "score"] }));
    // One reader follows meanwhile, and connects again in the middle.
    const open = (last: Record<string, string>) =>
      StreamReader.open(`${the.baseUrl}/api/v1/events/stream`, {
        Authorization: `Bearer ${key.text}`,
        ...last,
      });
    const stream = await open({});
    await raceWriters(the, key, Math.min(20, all - round), round);
    const events = await mustBeInOrder(the, key);
    const followed = (await stream.events(Math.floor(events.length / 2))).map(idOf);
    stream.close();
    const rest = await open({ "Last-Event-ID": stream.lastId });
    while (followed.at(-1) !== events.at(-1)?.id) followed.push(...(await rest.events(1)).map(idOf));
    rest.close();
    // It was also told events that were withdrawn later, some of which came back at a later place.
    const told = new Set(events.map(idOf));
    assert.deepEqual(
      followed.filter((id, i) => told.has(id) && followed.lastIndexOf(id) === i),
      events.map(idOf),
      "the stream tells the same",
    );
  }
}

test("the feed tells what eight writers do to the same leads at once in the order in which it happened", () =>
  raced(20));
large(
  `the feed tells ${ROUNDS} rounds of eight writers of the same leads in the order in which it happened`,
  { timeout: 120_000 + ROUNDS * 1_000 },
  () => raced(ROUNDS),
);
