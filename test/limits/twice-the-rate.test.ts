import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../large.ts";
import type { World } from "../world.ts";
import { twoInstances } from "./support/instances.ts";
import { noRedis, ownRedis } from "./support/redis.ts";

/** Ten seconds of the rate: a machine that stalls for less never fills the bucket. */
const BURST = 200;
const PER_SECOND = 20;
const SECONDS = 4;
const BUCKETS = { api: { perMinute: PER_SECOND * 60, burst: BURST } };

for (const store of ["PostgreSQL", "Redis"] as const) {
  large(
    `at twice the allowed rate over two instances ${store} lets through what the bucket gives back, to the call`,
    {
      skip: store === "Redis" && noRedis,
    },
    async (t) => {
      await using redis = store === "Redis" ? await ownRedis() : undefined;
      await using both = await twoInstances(BUCKETS, redis === undefined ? {} : { REDIS_URL: redis.url }, {
        redisPatienceMs: 10_000,
      });
      const calls = await callsAtTwiceTheRate(both);
      assert.ok(
        calls.every(({ burst }) => burst === BURST),
        "every call was counted in the same place",
      );
      const until = (moment: (call: { sent: number; told: number }) => number, status: number) =>
        calls.filter((each) => each.status === status).map(moment);
      const admitted = calls.filter(({ status }) => status === 404).length;
      const refused = until(({ sent }) => sent, 429);
      assert.equal(admitted + refused.length, calls.length, "nothing else was answered");
      const firstSent = Math.min(...calls.map(({ sent }) => sent));
      const firstTold = Math.min(...calls.map(({ told }) => told));
      // The bucket was empty when the last call was refused, and never full before.
      const most = BURST + ((Math.max(...until(({ told }) => told, 404)) - firstSent) / 1_000) * PER_SECOND;
      const least = BURST + ((Math.max(...refused) - firstTold) / 1_000) * PER_SECOND - 1;
      t.diagnostic(
        `${calls.length} calls, ${admitted} admitted; ${least.toFixed(1)} to ${most.toFixed(1)} were allowed`,
      );
      assert.ok(admitted <= most, `${admitted} where ${most} were allowed`);
      assert.ok(admitted >= least * 0.99, `${admitted} where ${least} were allowed`);
    },
  );
}

interface Called {
  sent: number;
  told: number;
  status: number;
  /** The burst of the bucket that counted the call. */
  burst: number;
}

/**
 * Uses up the burst at once, then sends calls for four seconds at twice the rate, alternating between both
 * instances, with a new key.
 */
async function callsAtTwiceTheRate({ first, second }: { first: World; second: World }): Promise<Called[]> {
  const key = await first.key();
  const calls: Called[] = [];
  const call = async (n: number) => {
    const sent = performance.now();
    const answer = await fetch(`${(n % 2 === 0 ? first : second).baseUrl}/api/leads/lead_1/`, {
      headers: { Authorization: `Bearer ${key.text}` },
    });
    await answer.arrayBuffer();
    const burst = Number(/q=(\d+)/.exec(answer.headers.get("ratelimit-policy") ?? "")?.[1]);
    calls.push({ sent, told: performance.now(), status: answer.status, burst });
  };
  for (let n = 0; n < BURST; n += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => call(n + i)));
  const began = performance.now();
  const rest: Promise<void>[] = [];
  // Timed by the clock: calls that a busy machine delays are sent late, but sent.
  for (let n = 0; n < SECONDS * PER_SECOND * 2; n += 1) {
    await sleep(Math.max(0, began + (n * 1_000) / (PER_SECOND * 2) - performance.now()));
    rest.push(call(n));
  }
  await Promise.all(rest);
  return calls;
}
