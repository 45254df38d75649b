import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { newId } from "../../src/core/id.ts";
import { endEverything } from "../../src/domain/upkeep/end-everything.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { addLeads } from "./support/leads.ts";
import { bodyOf } from "./support/v1.ts";
import { refusalOf, writer } from "./support/writing.ts";

interface Feed {
  events: { id: string; lead_id: string; type: string }[];
  next_cursor: string;
  has_more: boolean;
}

/** A client that follows the feed: what it has received so far, and how it continues. */
class Follower {
  readonly seen: string[] = [];
  #cursor = "";
  readonly #key: KeyActor;
  readonly #query: string;

  constructor(key: KeyActor, query = "") {
    this.#key = key;
    this.#query = query;
  }

  async look(): Promise<void> {
    for (let more = true; more; ) {
      const query: string = `${this.#query}${this.#cursor === "" ? "" : `&cursor=${this.#cursor}`}`;
      const page: Feed = await bodyOf<Feed>(await this.#key.send("GET", `/api/v1/events?${query}`));
      this.seen.push(...page.events.map(({ id }) => id));
      this.#cursor = page.next_cursor;
      more = page.has_more;
    }
  }
}

const INSERT = `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, actor)
  VALUES ($1, $2, $3, $4, now(), 'x', '{"type": "cli", "id": null, "label": "test"}')`;

/** Connects to the service's database, or to another one of its PostgreSQL. */
async function connection(the: World, database?: string): Promise<pg.Client> {
  const url = new URL(the.databaseUrl);
  if (database !== undefined) url.pathname = database;
  const client = new pg.Client({
    connectionString: url.href,
    options: "-c search_path=leadgate,store,public",
  });
  await client.connect();
  return client;
}

test("a transaction that commits late is neither skipped nor repeated by the feed", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const add = async (client: { query(text: string, values: unknown[]): Promise<unknown> }) => {
    const id = newId("evt");
    await client.query(INSERT, [the.project.id, id, lead, "call.made"]);
    return id;
  };
  const clients = await Promise.all([1, 2, 3].map(() => connection(the)));
  const [early, late, own] = clients as [pg.Client, pg.Client, pg.Client];
  const follower = new Follower(key, "limit=2");
  try {
    await follower.look();
    const first = await add(own);
    await early.query("BEGIN");
    const held = [await add(early)];
    await late.query("BEGIN");
    const later = [await add(late)];
    const between = await add(own);
    await follower.look();
    assert.deepEqual(follower.seen, [first], "nothing behind the oldest that still runs");
    await late.query("COMMIT");
    held.push(await add(early), await add(early));
    const after = await add(own);
    await follower.look();
    assert.deepEqual(follower.seen, [first]);
    await early.query("COMMIT");
    await follower.look();
    assert.deepEqual(follower.seen, [first, ...held, ...later, between, after]);
    await follower.look();
    assert.equal(follower.seen.length, 7);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
});

test("a long transaction in another database of the same cluster holds nothing back", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const other = await connection(the, "postgres");
  try {
    await other.query("BEGIN");
    await other.query("SELECT pg_current_xact_id()");
    const sent = await key.send("POST", `/api/v1/leads/${lead}/events`, { type: "call.made" });
    const { id } = await bodyOf<{ id: string }>(sent, 201);
    const follower = new Follower(key);
    await follower.look();
    assert.deepEqual(follower.seen, [id]);
  } finally {
    await other.end();
  }
});

test("what was written is in the feed at once, while transactions of other databases come and go", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  let coming = true;
  const others = Array.from({ length: 12 }, async () => {
    const other = await connection(the, "postgres");
    while (coming) {
      await other.query("BEGIN; SELECT pg_current_xact_id(), pg_sleep(random() * 0.01)");
      await other.query("COMMIT");
    }
    await other.end();
  });
  const own = await connection(the);
  const follower = new Follower(key);
  const written: string[] = [];
  try {
    await follower.look();
    for (let n = 0; n < 300; n += 1) {
      const id = newId("evt");
      await own.query(INSERT, [the.project.id, id, lead, "call.made"]);
      written.push(id);
      await follower.look();
      assert.deepEqual(follower.seen, written);
    }
  } finally {
    coming = false;
    await Promise.all([...others, own.end()]);
  }
});

test("while many write at once, a follower sees every event once", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const leads = await addLeads(
    the,
    Array.from({ length: 10 }, () => ({})),
  );
  const followers = [new Follower(key, "limit=7"), new Follower(key, "limit=500")];
  let writing = true;
  const following = followers.map(async (follower) => {
    while (writing) await follower.look();
    await follower.look();
  });
  await Promise.all(
    leads.map(async (lead, i) => {
      for (let n = 0; n < 20; n += 1) {
        const events = Array.from({ length: 1 + ((i + n) % 3) }, () => ({
          type: "call.made",
          lead_id: lead,
        }));
        await bodyOf(await key.send("POST", "/api/v1/events/batch", { events }));
      }
    }),
  );
  writing = false;
  await Promise.all(following);
  const all = await the.sql<{ id: string }>("SELECT id FROM store.event ORDER BY tx, id");
  for (const { seen } of followers)
    assert.deepEqual(
      seen,
      all.map(({ id }) => id),
    );
});

test("a follower may start at now, and may request only some types; a cursor belongs to its types", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const send = async (type: string) =>
    (await bodyOf<{ id: string }>(await key.send("POST", `/api/v1/leads/${lead}/events`, { type }), 201)).id;
  const before = [await send("call.made"), await send("email.opened")];
  const start = await bodyOf<Feed>(await key.send("GET", "/api/v1/events?since=now"));
  assert.deepEqual([start.events, start.has_more], [[], false]);
  const calls = new Follower(key, "types=call.*&limit=1");
  await calls.look();
  const after = [await send("call.made"), await send("email.opened")];
  await calls.look();
  assert.deepEqual(calls.seen, [before[0], after[0]]);
  const next = await bodyOf<Feed>(await key.send("GET", `/api/v1/events?cursor=${start.next_cursor}`));
  assert.deepEqual(
    next.events.map(({ id }) => id),
    after,
  );
  assert.deepEqual(Object.keys(next.events[0] ?? {}).slice(0, 3), ["id", "lead_id", "type"]);
  for (const query of [
    `types=call.*&cursor=${start.next_cursor}`,
    "cursor=x",
    `since=now&cursor=${start.next_cursor}`,
    "since=later",
    "limit=501",
  ])
    assert.equal((await refusalOf(await key.send("GET", `/api/v1/events?${query}`))).status, 400, query);
});

test("a follower of some types gets their events, however many of other types are between them", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, actor)
     SELECT $1, 'evt_' || lpad(n::text, 26, '0'), $2, CASE WHEN n % 20500 = 0 THEN 'call.made' ELSE 'email.opened' END,
       now(), 'x', '{"type": "cli", "id": null, "label": "test"}' FROM generate_series(0, 41000) AS n`,
    [the.project.id, lead],
  );
  const calls = new Follower(key, "types=call.*");
  await calls.look();
  assert.deepEqual(
    calls.seen,
    [0, 20_500, 41_000].map((n) => `evt_${String(n).padStart(26, "0")}`),
  );
});

test("the feed reports what happens to leads, and nothing of another project", async () => {
  await using the = await world();
  const key = await writer(the);
  const other = await the.newProject(the.person, "Other");
  const theirs = await writer(the, other.id);
  await theirs.send("POST", "/api/v1/leads", { name: "Foreign" });
  const { id } = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
  await key.send("PATCH", `/api/v1/leads/${id}`, { name: "Bea" });
  await key.send("DELETE", `/api/v1/leads/${id}`);
  const { events } = await bodyOf<Feed>(await key.send("GET", "/api/v1/events"));
  assert.deepEqual(
    events.map(({ lead_id, type }) => [lead_id, type]),
    [
      [id, "lead.created"],
      [id, "lead.updated"],
      [id, "lead.deleted"],
    ],
  );
  const foreign = await bodyOf<Feed>(await theirs.send("GET", "/api/v1/events"));
  const stolen = await key.send("GET", `/api/v1/events?cursor=${foreign.next_cursor}`);
  assert.equal((await refusalOf(stolen)).code, "bad_cursor");
});

test("after a restored backup an old cursor is refused, and the feed continues in a cluster whose transaction ids restarted", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const event = { type: "call.made" };
  await key.send("POST", `/api/v1/leads/${lead}/events`, event);
  const { next_cursor: old } = await bodyOf<Feed>(await key.send("GET", "/api/v1/events"));
  await the.sql("UPDATE store.event SET tx = '900000000000'");
  await endEverything(the.service);
  const { status, code } = await refusalOf(await key.send("GET", `/api/v1/events?cursor=${old}`));
  assert.deepEqual([status, code], [400, "cursor_of_former_epoch"]);
  const follower = new Follower(key);
  await follower.look();
  await key.send("POST", `/api/v1/leads/${lead}/events`, event);
  await follower.look();
  assert.equal(follower.seen.length, 2);
});
