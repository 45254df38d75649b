import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { checkAddresses } from "../../src/db/check-addresses.ts";
import { distribute } from "../../src/db/distribute/distribute.ts";
import { migrate } from "../../src/db/migrate.ts";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { ON_CLUSTER, poolOfRun, undistributed } from "./pool.ts";

const silent = { report: () => undefined };

async function emptyDatabase() {
  const pool = poolOfRun();
  if (pool === undefined) throw new Error("there is no cluster");
  return await undistributed(pool.coordinator);
}

/** What a key reads of its project. */
async function answers(key: KeyActor): Promise<{ total: number; leads: unknown[]; events: unknown[] }> {
  const search = await key.send("POST", "/api/v1/leads/search", { limit: 100, total: "exact" });
  const { total, leads } = (await search.json()) as { total: number; leads: unknown[] };
  const feed = await key.send("GET", "/api/v1/events?limit=200");
  return { total, leads, events: ((await feed.json()) as { events: unknown[] }).events };
}

const made = async (key: KeyActor, count: number, from = 0) => {
  for (let i = from; i < from + count; i += 1) {
    const { status } = await key.send("POST", "/api/v1/leads", {
      name: `Lead ${i}`,
      email: `lead-${i}@example.org`,
      score: i,
    });
    assert.equal(status, 201);
  }
};

large(
  "an installation with leads is distributed, and its programs read the same as before",
  ON_CLUSTER,
  async () => {
    const database = await emptyDatabase();
    try {
      await migrate(database.url);
      let before: { key: KeyActor; env: World["env"]; read: Awaited<ReturnType<typeof answers>> };
      {
        await using the = await world({ env: { DATABASE_URL: database.url } });
        const key = await the.key(["leads:read", "leads:write"]);
        await made(key, 5);
        await assert.rejects(distribute(database.url, silent), /Stop all instances first/);
        before = { key, env: the.env, read: await answers(key) };
        assert.ok(before.read.leads.length === 5 && before.read.events.length === 5);
      }
      const done = await distribute(database.url, { ...silent, shards: 4 });
      assert.ok(done.tables.includes("store.lead"));
      assert.deepEqual([done.nodes, done.shards], [2, 4]);
      assert.deepEqual((await distribute(database.url, silent)).tables, []);
      await using the = await world({ env: before.env });
      assert.equal(the.service.db.isDistributed, true);
      assert.deepEqual(await answers(before.key), before.read);
      await made(before.key, 1, 5);
      assert.deepEqual((await answers(before.key)).leads.length, 6);
    } finally {
      await database.drop();
    }
  },
);

large("a distribution that was ended is continued, and loses nothing", ON_CLUSTER, async () => {
  const database = await emptyDatabase();
  try {
    const ending = { report: (message: string) => assert.doesNotMatch(message, /store\.event /) };
    await assert.rejects(distribute(database.url, ending));
    const done = await distribute(database.url, { ...silent, shards: 2 });
    assert.ok(done.tables.includes("store.event") && !done.tables.includes("store.project"));
    await using the = await world({ env: { DATABASE_URL: database.url } });
    await made(await the.key(["leads:read", "leads:write"]), 1);
  } finally {
    await database.drop();
  }
});

large(
  "an instance that starts while projects are being distributed ends and says why, instead of showing none",
  ON_CLUSTER,
  async () => {
    const database = await emptyDatabase();
    try {
      await migrate(database.url);
      const { promise: begun, resolve } = Promise.withResolvers<void>();
      const distributing = distribute(database.url, { report: () => resolve(), shards: 2 });
      await begun;
      await assert.rejects(world({ env: { DATABASE_URL: database.url } }), /while this instance started/);
      await distributing;
    } finally {
      await database.drop();
    }
  },
);

large(
  "a worker's address is refused with a sentence, also by an instance that starts",
  ON_CLUSTER,
  async () => {
    const database = await emptyDatabase();
    try {
      const client = new pg.Client(database.url);
      await client.connect();
      const { rows } = await client.query<{ host: string; port: number }>(
        "SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 LIMIT 1",
      );
      await client.end();
      const worker = new URL(database.url);
      worker.host = `${rows[0]?.host}:${rows[0]?.port}`;
      await assert.rejects(distribute(worker.href, silent), /DATABASE_URL leads to a worker/);
      await assert.rejects(checkAddresses(worker.href, undefined), /DATABASE_URL leads to a worker/);
      await assert.rejects(
        checkAddresses(database.url, worker.href),
        /DATABASE_DIRECT_URL leads to a worker/,
      );
      await assert.rejects(world({ env: { DATABASE_URL: worker.href } }), /DATABASE_URL leads to a worker/);
    } finally {
      await database.drop();
    }
  },
);

test("one PostgreSQL without Citus is told what it lacks", {
  skip: poolOfRun() !== undefined && "needs one PostgreSQL",
}, async () => {
  const database = await freshDatabase();
  try {
    await assert.rejects(distribute(database.url, silent), /This database has no Citus/);
  } finally {
    await database.drop();
  }
});
