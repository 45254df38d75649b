import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { forgiving } from "../../src/domain/upkeep/keep-working.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { cabledWorld } from "./support/cabled.ts";

test("when all idle connections die silently, no read is lost, and a few seconds later everything works", async (t) => {
  await using cabled = await cabledWorld();
  const { the, cable, served } = cabled;
  const key = await the.key(["leads:read", "leads:write"]);
  const read = async () => (await key.query({ limit: 1 })).status;
  const write = async () => (await key.send("POST", "/api/v1/leads", { name: "Ada" })).status;
  await Promise.all(Array.from({ length: 60 }, read));
  const before = await served();
  assert.ok(before > 5, `${before} connections were opened`);
  cable.strand();
  const since = performance.now();
  const reads = await Promise.all(Array.from({ length: 40 }, read));
  t.diagnostic(`${reads.length} reads were answered after ${Math.round(performance.now() - since)} ms`);
  assert.deepEqual([...new Set(reads)], [200]);
  for (let n = 0; n < 20; n += 1) assert.deepEqual([await read(), await write()], [200, 201]);
});

test("writes that were sent over a dead connection are answered with 503 and not done; the next ones work", async (t) => {
  await using cabled = await cabledWorld();
  const { the, cable, sql } = cabled;
  const key = await the.key(["leads:read", "leads:write"]);
  let sent = 0;
  const write = async () => {
    sent += 1;
    return (await key.send("POST", "/api/v1/leads", { name: `n${sent}` })).status;
  };
  await Promise.all(Array.from({ length: 60 }, write));
  cable.strand();
  const since = performance.now();
  const statuses = await Promise.all(Array.from({ length: 30 }, write));
  t.diagnostic(
    `${statuses.filter((status) => status !== 201).length} of 30 writes lost, ${Math.round(performance.now() - since)} ms`,
  );
  for (const status of statuses) assert.ok(status === 201 || status === 503, `${status}`);
  const done = statuses.filter((status) => status === 201).length;
  const [row] = await sql<{ n: number }>("SELECT count(*)::integer AS n FROM store.lead");
  assert.equal(row?.n, 60 + done, "what was refused is not there");
  for (let n = 0; n < 20; n += 1) assert.equal(await write(), 201);
});

test("what a dead connection had locked is free within seconds", async () => {
  await using cabled = await cabledWorld({ env: { TIME_LIMITS: '{"write":3}' } });
  const { the, cable, sql } = cabled;
  const [held, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await sql("CREATE TABLE leadgate.thing AS SELECT 1 AS id");
  const work = the.service.db.transaction(async (tx) => {
    await tx.query("SELECT * FROM leadgate.thing FOR UPDATE");
    held.resolve();
    await gone.promise;
    await tx.query("UPDATE leadgate.thing SET id = 2");
  });
  await held.promise;
  cable.strand();
  gone.resolve();
  await assert.rejects(work, /connection terminated/);
  await sql("SET lock_timeout = '20s'; UPDATE leadgate.thing SET id = id + 10");
  assert.deepEqual(await sql("SELECT id FROM leadgate.thing"), [{ id: 11 }]);
});

large("while new connections hang as well, calls get 503, and work as soon as the network does", async () => {
  await using cabled = await cabledWorld({ env: { TIME_LIMITS: '{"wait":1,"query":2,"write":2}' } });
  const { the, cable } = cabled;
  const key = await the.key(["leads:read"]);
  const read = async () => (await key.query({ limit: 1 })).status;
  await Promise.all(Array.from({ length: 20 }, read));
  cable.strand();
  cable.silence();
  const silent = await Promise.all(Array.from({ length: 20 }, read));
  for (const status of silent) assert.ok(status === 503 || status === 429, `${status}`);
  await cable.mend();
  for (const until = performance.now() + 20_000; (await read()) !== 200; await sleep(100))
    assert.ok(performance.now() < until, "reads work again");
  assert.deepEqual(
    await Promise.all(Array.from({ length: 20 }, read)),
    Array.from({ length: 20 }, () => 200),
  );
});

large("a slow statement is not taken for a dead connection", async () => {
  await using cabled = await cabledWorld();
  const { the } = cabled;
  const rows = await the.service.db.query<{ n: number }>("SELECT 1 AS n FROM pg_sleep(4)");
  assert.deepEqual(rows, [{ n: 1 }]);
});

test("a connection of the queue that is given back twice goes back once, and serves again", async () => {
  await using the = await world();
  const { pool } = the.service.db;
  const before = pool.totalCount;
  const taken = await new Promise<number | null>((resolve, reject) =>
    forgiving(pool).connect((error, client, release) => {
      if (client === undefined) return reject(error);
      release();
      release();
      resolve(pool.totalCount);
    }),
  );
  assert.ok(taken !== null && pool.totalCount <= Math.max(before, taken));
  assert.deepEqual((await forgiving(pool).query("SELECT 1 AS one")).rows, [{ one: 1 }]);
});
