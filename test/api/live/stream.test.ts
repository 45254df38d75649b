import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Database } from "../../../src/db/pool/database.ts";
import { endEverything } from "../../../src/domain/upkeep/end-everything.ts";
import { planOf } from "../../erasure/support/statements.ts";
import { world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import type { StreamReader } from "../support/stream.ts";
import { bodyOf } from "../support/v1.ts";
import { refusalOf, writer } from "../support/writing.ts";
import { call, open } from "./support/streams.ts";

interface Feed {
  events: { id: string; type: string }[];
  next_cursor: string;
  has_more: boolean;
}

test("a stream starts now, has each event as the feed shows it, and its ids are cursors of the feed", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  await call(key, lead);
  const stream = await open(the, key);
  assert.equal(stream.headers.get("x-accel-buffering"), "no");
  assert.match(stream.headers.get("cache-control") ?? "", /no-store/);
  const sent = [await call(key, lead)];
  await key.send("PATCH", `/api/v1/leads/${lead}`, { name: "Bea" });
  await bodyOf(await key.send("PUT", "/api/v1/quiet-fields", { fields: ["score"] }));
  await key.send("PATCH", `/api/v1/leads/${lead}`, { score: 4 });
  const first = await stream.events(1);
  const [at, cursor] = [first[0]?.id, stream.lastId];
  assert.deepEqual(
    first.map(({ id }) => id),
    sent,
  );
  const others = await stream.events(2);
  const page = await bodyOf<Feed>(await key.send("GET", `/api/v1/events?cursor=${cursor}`));
  assert.deepEqual(page.events, others);
  assert.equal(stream.retry, 2_000);
  stream.close();
  const all = await bodyOf<Feed>(await key.send("GET", "/api/v1/events?limit=1"));
  const from = await open(the, key, { query: `?cursor=${all.next_cursor}` });
  assert.deepEqual((await from.events(1))[0]?.id, at);
  from.close();
});

test("readers that reconnect again and again see each event once, in the feed's order, while many write", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const leads = await addLeads(
    the,
    Array.from({ length: 8 }, () => ({})),
  );
  const start = (await bodyOf<Feed>(await key.send("GET", "/api/v1/events?since=now"))).next_cursor;
  const total = leads.length * 30;
  /** Reads until all are there; reconnects after `each` events. */
  const follow = async (each: number): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor = start; seen.length < total; ) {
      const stream = await open(the, key, { lastId: cursor });
      seen.push(...(await stream.events(Math.min(each, total - seen.length))).map(({ id }) => id));
      cursor = stream.lastId;
      stream.close();
    }
    return seen;
  };
  const following = [7, 50, total].map(follow);
  await Promise.all(
    leads.map(async (lead, i) => {
      for (let n = 0; n < 15; n += 1) {
        const events = [1, 2].map(() => ({ type: n % 3 === 0 ? "call.made" : "email.sent", lead_id: lead }));
        await bodyOf(await key.send("POST", "/api/v1/events/batch", { events }));
        await sleep(i);
      }
    }),
  );
  const all = await the.sql<{ id: string }>("SELECT id FROM store.event ORDER BY tx, id");
  for (const seen of await Promise.all(following))
    assert.deepEqual(
      seen,
      all.map(({ id }) => id),
    );
});

test("a transaction that commits late is neither skipped nor repeated by a stream", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const late = new pg.Client({
    connectionString: the.databaseUrl,
    options: "-c search_path=leadgate,store,public",
  });
  await late.connect();
  const stream = await open(the, key);
  try {
    const before = await call(key, lead);
    await late.query("BEGIN");
    await late.query(
      `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, actor)
       VALUES ($1, 'evt_late', $2, 'call.made', now(), 'x', '{"type": "cli", "id": null, "label": "test"}')`,
      [the.project.id, lead],
    );
    const after = await call(key, lead);
    assert.deepEqual((await stream.events(1))[0]?.id, before);
    const other = await open(the, key);
    await late.query("COMMIT");
    for (const each of [stream, other])
      assert.deepEqual(
        (await each.events(2)).map(({ id }) => id),
        ["evt_late", after],
      );
    other.close();
  } finally {
    stream.close();
    await late.end();
  }
});

test("a stream of some types has only these, and its cursor belongs to them", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const stream = await open(the, key, { query: "?types=call.*,note.added" });
  const types = ["email.opened", "call.made", "callback.asked", "note.added", "note.adding", "call.missed"];
  for (const type of types) await call(key, lead, type);
  assert.deepEqual(
    (await stream.events(3)).map(({ type }) => type),
    ["call.made", "note.added", "call.missed"],
  );
  stream.close();
  const path = (query: string) => `/api/v1/events/stream?cursor=${stream.lastId}${query}`;
  assert.equal((await refusalOf(await key.send("GET", path("")))).code, "bad_cursor");
  const again = await open(the, key, { query: `?types=call.*,note.added&cursor=${stream.lastId}` });
  await call(key, lead, "call.made");
  assert.equal((await again.events(1))[0]?.type, "call.made");
  again.close();
});

test("a stream has nothing of another project, and refuses its cursors, and those of a former epoch", async () => {
  await using the = await world();
  const other = await the.newProject(the.person, "Other");
  const [key, stranger] = [await writer(the), await writer(the, other.id)];
  const [lead = ""] = await addLeads(the, [{}]);
  const [ours, theirs] = [await open(the, key), await open(the, stranger)];
  await stranger.send("POST", "/api/v1/leads", { name: "Foreign" });
  const own = await call(key, lead);
  const made = await theirs.events(1);
  assert.equal(made[0]?.type, "lead.created");
  assert.deepEqual((await ours.events(1))[0]?.id, own);
  const path = (cursor: string) => `/api/v1/events/stream?cursor=${cursor}`;
  assert.equal((await refusalOf(await key.send("GET", path(theirs.lastId)))).code, "bad_cursor");
  assert.equal((await refusalOf(await key.send("GET", path("x")))).status, 400);
  await endEverything(the.service);
  for (const stream of [ours, theirs]) {
    const end = (await stream.rest()).at(-1);
    assert.equal(end?.event, "end");
    assert.equal(JSON.parse(end?.data ?? "{}").code, "cursor_of_former_epoch");
  }
  assert.equal((await refusalOf(await key.send("GET", path(ours.lastId)))).code, "cursor_of_former_epoch");
});

test("the hub asks nothing without readers, and as much for many readers as for one", async () => {
  await using the = await world();
  const { live } = the.service;
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const streams: StreamReader[] = [];
  const statementsPerPoll = async (count: number): Promise<number> => {
    while (streams.length < count) streams.push(await open(the, key));
    const { polls, statements } = live.figures;
    while (live.figures.polls < polls + 20) await sleep(20);
    return (live.figures.statements - statements) / (live.figures.polls - polls);
  };
  const one = await statementsPerPoll(1);
  const many = await statementsPerPoll(15);
  assert.ok(one < 1.5 && many < 1.5, `${one}, ${many}`);
  await call(key, lead);
  for (const stream of streams) assert.equal((await stream.events(1)).length, 1);
  for (const stream of streams) stream.close();
  while (live.figures.readers > 0) await sleep(10);
  await sleep(200);
  const { statements } = live.figures;
  await sleep(400);
  assert.equal(live.figures.statements, statements);
});

test("the hub reads what was committed by the indexes of the feed, whatever there was before", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, actor)
     SELECT $1, 'evt_' || lpad(i::text, 26, '0'), $2, 'call.made', now(), 'x', '{"type": "cli", "id": null, "label": "test"}'
     FROM generate_series(1, 3000) i`,
    [the.project.id, lead],
  );
  const { together } = Database.prototype;
  const sent: { text: string; values: readonly unknown[] }[] = [];
  Database.prototype.together = function <R>(
    statements: readonly { text: string; values: readonly unknown[] }[],
  ) {
    sent.push(...statements.filter(({ text }) => text.includes("store.tombstone")));
    return together.call(this, statements) as Promise<R[]>;
  };
  try {
    const stream = await open(the, key);
    await call(key, lead);
    await stream.events(1);
    stream.close();
  } finally {
    Database.prototype.together = together;
  }
  const [poll] = sent;
  assert.ok(poll !== undefined);
  await the.sql("SET enable_seqscan = off");
  const used = (await planOf(the, { ...poll, rows: 0 })).map((node) => node["Index Name"]);
  for (const index of ["event_feed", "tombstone_feed", "change_item_feed"])
    assert.ok(used.includes(index), JSON.stringify(used));
});

test("an operator sees the open streams, what they sent, and how long polls take", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const stream = await open(the, key);
  await call(key, lead);
  await stream.events(1);
  const metrics = await (await fetch(`${the.baseUrl}/metrics`)).text();
  assert.match(metrics, /^leadgate_event_streams 1$/m);
  assert.match(metrics, /^leadgate_event_streams_sent_total 1$/m);
  assert.match(metrics, /^leadgate_live_statements_total [1-9]/m);
  assert.match(metrics, /^leadgate_live_poll_seconds_count [1-9]/m);
  stream.close();
});
