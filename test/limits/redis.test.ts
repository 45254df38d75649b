import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { world } from "../world.ts";
import { limits, rush, twoInstances } from "./support/instances.ts";
import { noRedis, ownRedis } from "./support/redis.ts";

/** These tests are about what Redis counts: a busy machine's Redis may take its time. */
const PATIENT = { redisPatienceMs: 10_000 };
const buckets = { api: { perHour: 1, burst: 6 } };

test("two instances share the buckets in Redis, in races and over several windows", {
  skip: noRedis,
}, async () => {
  await using redis = await ownRedis();
  await using both = await twoInstances(
    { api: { perMinute: 1, burst: 6 } },
    { REDIS_URL: redis.url },
    PATIENT,
  );
  const { first, second } = both;
  const key = await first.key();
  assert.equal(await rush([first, second], key, 50), "200x6 429x44");
  assert.deepEqual(await first.sql("SELECT FROM limit_turn"), [], "nothing is counted in the database");
  const client = new Redis(redis.url);
  try {
    const [bucket, ...others] = await client.keys("*");
    assert.ok(bucket !== undefined && others.length === 0);
    assert.ok(!bucket.includes(key.text.slice(-71, -7)), "no secret in it");
    assert.ok((await client.pttl(bucket)) > 0, "it goes by itself");
    for (const turns of [1, 2, 1]) {
      await client.decrby(bucket, turns * 60_000_000);
      assert.equal(await rush([first, second], key, 8), `200x${turns} 429x${8 - turns}`);
    }
  } finally {
    client.disconnect();
  }
});

test("with a Redis that hangs or dies no call is unlimited and none fails", {
  skip: noRedis,
}, async () => {
  for (const how of ["hang", "kill"] as const) {
    await using redis = await ownRedis();
    await using both = await twoInstances(buckets, { REDIS_URL: redis.url }, { redisPatienceMs: 500 });
    const { first, second } = both;
    await untilBack([first, second]);
    const [before, during] = [await first.key(), await first.key()];
    assert.equal(await rush([first, second], before, 3), "200x3", how);
    await redis[how]();
    assert.equal(await rush([first, second], during, 40), "200x3 429x37", `${how}: half of the burst`);
    assert.equal(await rush([first, second], before, 40), "200x3 429x37", `${how}: a bucket begun elsewhere`);
    assert.equal((await before.query({})).headers.get("ratelimit-policy"), '"api";q=3;w=21600', how);
    if (how === "hang") redis.wake();
    else await redis.start();
    await untilBack([first, second]);
    const after = await first.key();
    assert.equal(await rush([first, second], after, 40), "200x6 429x34", `${how}: and back`);
  }
});

test("a Redis that dies during calls fails none of them", { skip: noRedis }, async () => {
  await using redis = await ownRedis();
  await using the = await world({
    env: { LIMITS: limits({ api: { perHour: 1, burst: 400 } }), REDIS_URL: redis.url },
  });
  const key = await the.key();
  const calls = Array.from({ length: 120 }, async (_, i) => {
    await sleep(i % 60);
    return (await key.query({})).status;
  });
  await sleep(20);
  await redis.kill();
  assert.deepEqual(
    [...new Set(await Promise.all(calls))].filter((status) => status !== 200 && status !== 429),
    [],
  );
});

test("a service without its Redis starts and still counts", { skip: noRedis }, async () => {
  const redis = await ownRedis();
  await redis.kill();
  await using the = await world({ env: { LIMITS: limits(buckets), REDIS_URL: redis.url } });
  assert.equal(await rush([the], await the.key(), 20), "200x3 429x17");
});

/** Waits until both instances count in Redis again: their headers then report the full limit. */
async function untilBack(instances: readonly Awaited<ReturnType<typeof world>>[]): Promise<void> {
  for (const instance of instances) {
    for (;;) {
      const { headers } = await (await instance.key()).query({});
      if (headers.get("ratelimit-policy")?.includes("q=6;") === true) break;
      await sleep(50);
    }
  }
}
