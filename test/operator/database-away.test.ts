import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Cable, cableTo } from "../cable.ts";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { scrape, sum } from "./support/scrape.ts";

/** What callers of one key see of a database that is away. */
interface Seen {
  the: World;
  key: KeyActor;
  cable: Cable;
}

async function cabled({ wait = 3 } = {}): Promise<Seen & AsyncDisposable> {
  const database = await freshDatabase();
  const cable = await cableTo(database.url);
  const the = await world({ env: { DATABASE_URL: cable.url, TIME_LIMITS: JSON.stringify({ wait }) } });
  const key = await the.key(["leads:read", "leads:write"]);
  await Promise.all(Array.from({ length: 20 }, () => key.query({ limit: 1 })));
  return {
    ...{ the, key, cable },
    async [Symbol.asyncDispose]() {
      await cable.mend();
      await the[Symbol.asyncDispose]();
      await cable[Symbol.asyncDispose]();
    },
  };
}

const readyz = async (the: World) => (await fetch(`${the.baseUrl}/readyz`)).status;

/** Calls and expects to be refused; returns after how many milliseconds. */
async function refused({ key }: Seen, n: number): Promise<number> {
  const since = performance.now();
  const answer = await (n % 2 === 0
    ? key.query({ limit: 1 })
    : key.send("POST", "/api/v1/leads", { name: "Ana" }));
  const ms = performance.now() - since;
  assert.equal(answer.status, 503, await answer.clone().text());
  assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
  return ms;
}

for (const how of ["refuses connections", "answers nothing any more"])
  test(`while the database ${how}, calls are answered 503 within 50 ms, with Retry-After and never with 429, until it is back`, async (t) => {
    await using seen = await cabled();
    const { the, key, cable } = seen;
    if (how === "refuses connections") await cable.cut();
    else cable.silence();
    // Nobody has to ask for its readiness: a call notices.
    assert.equal((await key.query({ limit: 1 })).status, 503);
    for (const until = performance.now() + 5_000; (await readyz(the)) !== 503; await sleep(20))
      assert.ok(performance.now() < until, "it is noticed");
    await Promise.all(Array.from({ length: 20 }, (_, n) => refused(seen, n)));
    // The fastest of some, one after the other: others run on this machine, too.
    let ms = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 10; n += 1) ms = Math.min(ms, await refused(seen, n));
    t.diagnostic(`refused within ${Math.round(ms)} ms`);
    assert.ok(ms < 50, `${ms} ms`);
    assert.ok(sum(await scrape(the.baseUrl), "leadgate_lane_refusals_total") > 0);
    await cable.mend();
    while ((await readyz(the)) !== 200) await sleep(20);
    assert.equal((await key.query({ limit: 1 })).status, 200);
    assert.equal((await key.send("POST", "/api/v1/leads", { name: "Ana" })).status, 201);
  });

test("calls that already waited for a connection when the database went away are answered 503 as soon as that is known", async () => {
  await using seen = await cabled({ wait: 30 });
  const { key, cable } = seen;
  cable.silence();
  // Each needs a connection of its own, which single creates and reads do not: of 40, most wait.
  const refusal = await Promise.any(
    Array.from({ length: 40 }, async (_, n) => {
      const items = [{ external_id: `crm-${n}`, name: "Ana" }];
      return await key.send("POST", "/api/v1/leads/bulk", { op: "upsert", match_on: ["external_id"], items });
    }),
  );
  // Without the check, the first would hear after 30 s that no connection was free.
  const { error } = (await refusal.json()) as { error: { code: string } };
  assert.deepEqual([refusal.status, error.code], [503, "database_away"]);
});

large(
  "an instance whose connections all wait for a lock is not taken for one without a database",
  async () => {
    await using the = await world({
      env: {
        CONNECTIONS: JSON.stringify({ requests: 4, jobs: 6 }),
        TIME_LIMITS: JSON.stringify({ query: 20 }),
      },
    });
    const key = await the.key(["leads:read", "leads:write"]);
    const { id } = (await (await key.send("POST", "/api/v1/leads", { name: "Ana" })).json()) as {
      id: string;
    };
    const holder = new pg.Client({ connectionString: the.databaseUrl });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE store.lead IN ACCESS EXCLUSIVE MODE");
    const { pool } = the.service.db;
    const taken = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
    const waiting = taken.map((client) => client.query("SELECT FROM store.lead LIMIT 1"));
    await sleep(2_500);
    assert.equal(await readyz(the), 503);
    const free = taken.pop();
    await holder.query("COMMIT");
    await Promise.all(waiting);
    free?.release();
    assert.equal((await key.send("GET", `/api/v1/leads/${id}`)).status, 200, "the door was not closed");
    for (const client of taken) client.release();
    await holder.end();
  },
);
