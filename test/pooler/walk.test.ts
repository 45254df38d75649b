import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Export, endedExport } from "../api/support/exports.ts";
import { bodyOf } from "../api/support/v1.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { large } from "../large.ts";
import { Application, exchange, tokensOf } from "../oauth/support/application.ts";
import type { KeyActor, World } from "../world.ts";
import { type PooledWorld, pooledWorld, withoutPgBouncer as skip } from "./support/pgbouncer.ts";

const ALL = ["leads:read", "leads:write", "leads:erase"] as const;
/** Asks until the call is answered as expected; for calls while PgBouncer is away. */
async function until(status: number, call: () => Promise<Response>): Promise<Response> {
  for (const end = performance.now() + 30_000; ; await sleep(50)) {
    const answer = await call();
    if (answer.status === status) return answer;
    assert.ok(answer.status === 503 && performance.now() < end, `${answer.status} ${await answer.text()}`);
  }
}

async function killed({ bouncer }: PooledWorld): Promise<void> {
  await bouncer.kill();
  await bouncer.start();
}

async function exported(the: World, key: KeyActor): Promise<{ streamed: string; file: string }> {
  const body = { project_id: the.project.id, format: "csv", columns: ["id", "name"] };
  const streamed = await (await until(200, () => key.send("POST", "/api/leads/export/", body))).text();
  const { format, columns } = body;
  const asked = await until(202, () => key.send("POST", "/api/v1/exports", { format, columns }));
  const { id } = (await asked.json()) as Export;
  assert.equal((await endedExport(key, id)).state, "done");
  const file = await until(200, () => key.send("GET", `/api/v1/exports/${id}/file`));
  return { streamed, file: await file.text() };
}

test("leads, feed, imports, exports, bulk changes and erasure work behind PgBouncer, and after it was killed", {
  skip,
}, async () => {
  await using pooled = await pooledWorld({ default_pool_size: 4 });
  const { the } = pooled;
  const key = await the.key(ALL);
  let leads = 0;
  for (let round = 1; round <= 2; round += 1) {
    const rows = Array.from({ length: 1_000 }, (_, n) => `r${round}-${n}@example.org,Row ${round} ${n}`);
    const { id: file } = await uploaded(the, key, `email,name\n${rows.join("\n")}\n`);
    const done = await acted(key, file, "commit");
    assert.deepEqual([done.state, done.created, done.failed], ["done", 1_000, 0]);
    leads += 1_000;
    const made = await bodyOf<{ id: string }>(
      await key.send("POST", "/api/v1/leads", { name: "Ada", email: `ada${round}@example.org` }),
      201,
    );
    leads += 1;
    const { streamed, file: stored } = await exported(the, key);
    assert.equal(streamed, stored);
    assert.equal(streamed.trimEnd().split("\n").length, leads + 1);
    const filter = { field: "email", op: "eq", value: `r${round}-7@example.org` };
    const bulk = { op: "set", set: { status: "won" }, filter, expected_count: 1 };
    assert.equal((await key.send("POST", "/api/v1/leads/bulk", bulk)).status, 200);
    const feed = await bodyOf<{ events: object[] }>(await key.send("GET", "/api/v1/events?limit=100"));
    assert.equal(feed.events.length, 100);
    const person = { email: `ada${round}@example.org`, expected_leads: 1 };
    const erased = await key.send("POST", "/api/v1/people/erase", person);
    assert.equal(erased.status, 200, await erased.text());
    leads -= 1;
    assert.equal((await key.send("GET", `/api/v1/leads/${made.id}`)).status, 404);
    await killed(pooled);
    await until(200, () => key.query({ limit: 1 }));
  }
});

test("a chain of tokens goes on after PgBouncer was killed, and a replay ends it", { skip }, async () => {
  await using pooled = await pooledWorld({ default_pool_size: 2 });
  const { the } = pooled;
  const browser = await the.signedIn();
  const app = await Application.register(the);
  let tokens = await tokensOf(await exchange(the, await app.code(browser)));
  const first = tokens;
  for (let n = 0; n < 5; n += 1) {
    await killed(pooled);
    await until(200, () => fetch(`${the.authUrl}/readyz`));
    tokens = await tokensOf(await app.refresh(tokens.refresh));
  }
  const answers = await Promise.all([1, 2, 3].map(() => app.refresh(tokens.refresh)));
  assert.equal(
    answers.filter(({ status }) => status === 200).length,
    1,
    "a token is used once, even in a race",
  );
  assert.equal((await app.refresh(first.refresh)).status, 400);
});

test("no acknowledged write is lost when PgBouncer is killed under load, and none is made twice", {
  skip,
}, async () => {
  await using pooled = await pooledWorld({ default_pool_size: 3 });
  const { the } = pooled;
  const key = await the.key(ALL);
  const acknowledged = new Set<string>();
  let sent = 0;
  let stopped = false;
  const writer = async () => {
    while (!stopped) {
      sent += 1;
      const name = `w${sent}`;
      const answer = await key.send("POST", "/api/v1/leads", { name });
      await answer.text();
      if (answer.status === 201) acknowledged.add(name);
      else assert.equal(answer.status, 503);
    }
  };
  const writers = Array.from({ length: 6 }, writer);
  /** Until writes succeed again, as they must after each kill, however busy this machine is. */
  const someMore = async () => {
    for (const enough = acknowledged.size + 5; acknowledged.size < enough; ) await sleep(20);
  };
  for (let kills = 0; kills < 4; kills += 1) {
    await someMore();
    await sleep(200);
    await killed(pooled);
  }
  await someMore();
  stopped = true;
  await Promise.all(writers);
  const stored = (await the.sql<{ name: string }>("SELECT name FROM store.lead")).map(({ name }) => name);
  const names = new Set(stored);
  assert.equal(names.size, stored.length, "none is there twice");
  assert.deepEqual(
    [...acknowledged].filter((name) => !names.has(name)),
    [],
  );
});

large(
  "an export that nobody reads on is cancelled on the server, behind PgBouncer too",
  {
    skip,
  },
  async () => {
    await using pooled = await pooledWorld({ default_pool_size: 4 }, { config: { exportPatienceMs: 400 } });
    const { the, direct } = pooled;
    const key = await the.key(ALL);
    await the.sql(
      `INSERT INTO store.lead (project_id, id, name, landing_page)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i, repeat(md5(i::text), 60) FROM generate_series(1, 20000) i`,
      [the.project.id],
    );
    const answer = await key.send("POST", "/api/leads/export/", {
      project_id: the.project.id,
      format: "csv",
    });
    assert.equal(answer.status, 200);
    const inspector = new pg.Client(direct);
    await inspector.connect();
    const copies = async () =>
      (
        await inspector.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'copy%' AND state = 'active'",
        )
      ).rowCount;
    for (const end = performance.now() + 20_000; (await copies()) !== 0; await sleep(50))
      assert.ok(performance.now() < end, "the statement ended");
    await inspector.end();
    await answer.body?.cancel().catch(() => undefined);
    assert.equal((await key.query({ limit: 1 })).status, 200);
  },
);
