import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MemoryLimiter } from "../../src/domain/operation/limits/memory-limiter.ts";
import { type Ask, secondsToNext } from "../../src/domain/operation/service/limiter.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { limits, rush } from "./support/instances.ts";

const ask: Ask = { name: "datasetReads", limit: { each: 20_000, burst: 300 }, subject: "key key_1" };

test("at twice the allowed rate for ten minutes a bucket admits exactly its burst and its rate", async () => {
  let now = 0;
  const limiter = new MemoryLimiter(() => now);
  const taken: number[] = [];
  for (; now < 600_000_000; now += 10_000) if ((await limiter.take(ask)).taken) taken.push(now);
  assert.ok(Math.abs(taken.length - 30_300) <= 1, `${taken.length}`);
  const window = 60_000_000;
  for (const [i, from] of taken.entries()) {
    const beyond = taken[i + 3_300];
    if (beyond !== undefined)
      assert.ok(beyond - from >= window, `more than 3,300 in the minute from ${from}`);
  }
});

test("a client that obeys Retry-After is never refused twice, whatever the limit", async () => {
  for (const limit of [
    { each: 20_000, burst: 300 },
    { each: 8_571_429, burst: 1 },
    { each: 360_000_000, burst: 2 },
    { each: 333_334, burst: 7 },
  ]) {
    let now = 12_345;
    const limiter = new MemoryLimiter(() => now);
    for (let calls = 0; calls < 2_000; calls += 1) {
      const standing = await limiter.take({ ...ask, limit });
      if (standing.taken) continue;
      // A timer may fire a millisecond early.
      now += secondsToNext(standing) * 1_000_000 - 1_000;
      assert.ok((await limiter.take({ ...ask, limit })).taken);
    }
  }
});

large(
  "with the embedded database calls are counted in the process, and nothing is written for it",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "leadgate-limits-"));
    try {
      await using the = await world({
        env: { LIMITS: limits({ api: { perHour: 1, burst: 4 } }), DATA_DIR: folder },
        config: { databaseUrl: undefined },
      });
      assert.equal(await rush([the], await the.key(), 30), "200x4 429x26");
      const [rows] = await the.service.db.query<{ rows: number }>(
        "SELECT count(*)::int AS rows FROM limit_turn",
      );
      assert.equal(rows?.rows, 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
