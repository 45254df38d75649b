import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { large } from "../large.ts";
import { type KeyActor, type World, world } from "../world.ts";

/** Lets the world's database have so many connections more than it has now. */
async function limit(the: World, more: number): Promise<void> {
  const url = new URL(the.databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  const { rows } = await admin.query<{ open: number }>(
    "SELECT count(*)::integer AS open FROM pg_stat_activity WHERE datname = $1",
    [name],
  );
  const open = rows[0]?.open ?? 0;
  await admin.query(
    `ALTER DATABASE ${name} CONNECTION LIMIT ${more === Number.POSITIVE_INFINITY ? -1 : open + more}`,
  );
  await admin.end();
}

const statuses = async (key: KeyActor, calls: number) => {
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, n) =>
      n % 2 === 0 ? key.query({ limit: 1 }) : key.send("POST", "/api/v1/leads", { name: `Ana ${n}` }),
    ),
  );
  return [...new Set(answers.map(({ status }) => status))].sort();
};

test("an instance that gets fewer connections than it wants serves all calls with those that it gets", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  assert.deepEqual(await statuses(key, 2), [200, 201]);
  await limit(the, 1);
  assert.deepEqual(await statuses(key, 40), [200, 201]);
  assert.deepEqual(await statuses(key, 40), [200, 201]);
  assert.equal((await fetch(`${the.baseUrl}/readyz`)).status, 200);
});

large("an instance that got fewer connections takes more when it may", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  await limit(the, 0);
  assert.deepEqual(await statuses(key, 40), [200, 201]);
  const { pool } = the.service.db;
  const got = pool.totalCount;
  await limit(the, Number.POSITIVE_INFINITY);
  for (const until = performance.now() + 30_000; pool.totalCount <= got; await sleep(200)) {
    assert.ok(performance.now() < until, `${pool.totalCount} connections, before ${got}`);
    assert.deepEqual(await statuses(key, 40), [200, 201]);
  }
});
