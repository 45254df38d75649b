import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findBackup } from "../../src/db/backup/find-backup.ts";
import { restoreRows } from "../../src/db/backup/restore-rows.ts";
import { call, open } from "../api/live/support/streams.ts";
import { addLeads } from "../api/support/leads.ts";
import { bodyOf } from "../api/support/v1.ts";
import { refusalOf, writer } from "../api/support/writing.ts";
import { leadgate } from "../cli/support/leadgate.ts";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { type KeyActor, type World, world } from "../world.ts";

interface Feed {
  events: { id: string }[];
  next_cursor: string;
  has_more: boolean;
}

/** Reads the feed behind a cursor to its end. */
async function read(key: KeyActor, from?: string): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  let cursor = from;
  for (;;) {
    const query = cursor === undefined ? "" : `&cursor=${cursor}`;
    const page = await bodyOf<Feed>(await key.send("GET", `/api/v1/events?limit=3${query}`));
    ids.push(...page.events.map(({ id }) => id));
    cursor = page.next_cursor;
    if (!page.has_more) return { ids, cursor };
  }
}

async function run(the: Pick<World, "env">, ...words: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await leadgate(the as World, [...words, "--json"]);
  assert.equal(code, 0, out + err);
  return JSON.parse(out) as Record<string, unknown>;
}

/** The same key at another host. */
const at = (key: KeyActor, { baseUrl }: World): KeyActor => ({
  ...key,
  send: (method, path, body) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
});

/** Copies the rows into another database, whose transaction ids know nothing of those before, as other tools do. */
async function moved(t: TestContext, the: World): Promise<{ url: string; drop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-moved-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await run(the, "backup", "--to", folder);
  const target = await freshDatabase();
  await restoreRows(target.url, await findBackup(folder, folder), { isMarked: false, passphrase: undefined });
  return target;
}

const rowsOf = (the: World) =>
  the.sql<Record<string, string>>("SELECT id, tx::text, xmin::text FROM store.event ORDER BY id");

large(
  "data that was moved to another cluster without a loss: cursors and streams go on with exactly the new events",
  async (t) => {
    await using the = await world();
    const key = await writer(the);
    const [lead = ""] = await addLeads(the, [{}]);
    // The numbers of this database are now far above the transaction ids of the one that follows.
    await run(the, "restored", "--nothing-lost");
    const before = [await call(key, lead), await call(key, lead), await call(key, lead)];
    const first = await bodyOf<Feed>(await key.send("GET", "/api/v1/events?limit=1"));
    const all = await read(key);
    assert.deepEqual(all.ids, before);
    // Transactions without an event count in a cursor too.
    for (let n = 0; n < 50; n += 1) await the.sql("SELECT pg_current_xact_id()");
    const idle = await read(key, all.cursor);
    assert.deepEqual(idle.ids, []);

    const env = { ...the.env, DATABASE_URL: (await moved(t, the)).url };
    assert.deepEqual(await run({ env }, "restored", "--nothing-lost"), { ended: 0, cursors: "valid" });
    await using other = await world({ env: { DATABASE_URL: env.DATABASE_URL } });
    const there = at(key, other);
    const behind = [await call(there, lead), await call(there, lead)];
    for (const { cursor } of [all, idle]) assert.deepEqual((await read(there, cursor)).ids, behind);
    assert.deepEqual((await read(there, first.next_cursor)).ids, [...before.slice(1), ...behind]);
    assert.deepEqual((await read(there)).ids, [...before, ...behind]);
    const stream = await open(other, there, { lastId: idle.cursor });
    const live = await call(there, lead);
    const streamed = (await stream.events(3)).map(({ id }) => id);
    assert.deepEqual(streamed, [...behind, live]);
    stream.close();

    // The numbers start at once behind those of the second database, although the third knows neither.
    const { cursor } = await read(there, idle.cursor);
    const third = { ...the.env, DATABASE_URL: (await moved(t, other)).url };
    await run({ env: third }, "restored", "--nothing-lost");
    await using last = await world({ env: { DATABASE_URL: third.DATABASE_URL } });
    const final = await call(at(key, last), lead);
    assert.deepEqual((await read(at(key, last), cursor)).ids, [final]);
  },
);

test("`restored` writes no event, refuses cursors of before, and whoever starts again has the old events and then the new ones", async () => {
  await using the = await world();
  const key = await writer(the);
  const [lead = ""] = await addLeads(the, [{}]);
  const before = [await call(key, lead), await call(key, lead)];
  const { cursor } = await read(key);
  const rows = await rowsOf(the);
  for (let times = 1; times <= 2; times += 1) {
    assert.equal((await run(the, "restored")).epoch, 1 + times);
    assert.deepEqual((await rowsOf(the)).slice(0, rows.length), rows);
    const { status, code } = await refusalOf(await key.send("GET", `/api/v1/events?cursor=${cursor}`));
    assert.deepEqual([status, code], [400, "cursor_of_former_epoch"]);
    const again = await read(key);
    assert.deepEqual(again.ids, before);
    before.push(await call(key, lead));
    assert.deepEqual((await read(key, again.cursor)).ids, before.slice(-1));
  }
});

large("while others write and stream, the feed goes on without an event lost or repeated", async () => {
  await using the = await world();
  const key = await writer(the);
  const leads = await addLeads(the, [{}, {}, {}, {}]);
  const stream = await open(the, key);
  let [writing, reading] = [true, true];
  const written = leads.map(async (lead) => {
    const ids: string[] = [];
    while (writing) ids.push(await call(key, lead));
    return ids;
  });
  const seen: string[] = [];
  const following = (async () => {
    let cursor: string | undefined;
    for (let more = true; more; ) {
      more = reading;
      const page = await read(key, cursor);
      seen.push(...page.ids);
      cursor = page.cursor;
    }
  })();
  for (let times = 0; times < 2; times += 1) await run(the, "restored", "--nothing-lost");
  writing = false;
  const sent = (await Promise.all(written)).flat();
  reading = false;
  await following;
  assert.deepEqual(seen.toSorted(), sent.toSorted());
  assert.deepEqual(seen, (await read(key)).ids);
  const streamed = (await stream.events(sent.length)).map(({ id }) => id);
  assert.deepEqual(streamed, seen);
  stream.close();
});
