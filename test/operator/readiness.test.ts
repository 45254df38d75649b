import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { cableTo } from "../cable.ts";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { type World, world } from "../world.ts";

interface Ready {
  status: string;
  reason?: string;
  checks: { database: object; writes: object };
}

/** Asks whether the service is ready, with what was checked. */
async function ready(host: string): Promise<{ status: number; retryAfter: string | null; said: Ready }> {
  const answer = await fetch(`${host}/readyz?verbose`);
  return {
    status: answer.status,
    retryAfter: answer.headers.get("retry-after"),
    said: (await answer.json()) as Ready,
  };
}

/** Waits until readiness has this status; results are shared for a short time. */
async function until(host: string, status: number): Promise<void> {
  while ((await ready(host)).status !== status) await sleep(20);
}

const hostsOf = (the: World) => [the.authUrl, the.baseUrl];

test("while the database is away both listeners are alive but not ready, calls are told to come back, and all is well when it returns", async () => {
  const database = await freshDatabase();
  await using cable = await cableTo(database.url);
  await using the = await world({ env: { DATABASE_URL: cable.url } });
  const key = await the.key();
  for (const host of hostsOf(the)) assert.equal((await ready(host)).status, 200);
  await cable.cut();
  for (const host of hostsOf(the)) {
    assert.equal((await fetch(`${host}/livez`)).status, 200);
    await until(host, 503);
    const { retryAfter, said } = await ready(host);
    assert.equal(retryAfter, "2");
    assert.deepEqual([said.status, said.reason], ["unavailable", "the database does not answer"]);
    assert.deepEqual(said.checks.database, { status: "unavailable" });
    assert.deepEqual(said.checks.writes, { status: "unknown" });
  }
  const refused = await key.query({});
  const { code } = (await refused.json()) as { code: string };
  assert.deepEqual([refused.status, code, refused.headers.get("retry-after")], [503, "database_away", "2"]);
  await cable.mend();
  for (const host of hostsOf(the)) await until(host, 200);
  assert.equal((await key.query({})).status, 200);
});

large(
  "a call that finds all connections taken is told to come back instead of waiting for as long as they are",
  async () => {
    await using the = await world();
    const key = await the.key();
    const { pool } = the.service.db;
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    try {
      const refused = await key.query({});
      const { code } = (await refused.json()) as { code: string };
      assert.deepEqual(
        [refused.status, code, refused.headers.get("retry-after")],
        [503, "database_away", "2"],
      );
      await until(the.baseUrl, 503);
    } finally {
      for (const client of taken) client.release();
    }
    assert.equal((await key.query({})).status, 200);
    await until(the.baseUrl, 200);
  },
);

test("a network that passes no byte makes the service not ready within a few seconds, and it is ready when bytes pass again", async () => {
  const database = await freshDatabase();
  await using cable = await cableTo(database.url);
  await using the = await world({ env: { DATABASE_URL: cable.url } });
  assert.equal((await ready(the.baseUrl)).status, 200);
  cable.silence();
  for (let asked = 0, last = 200; last !== 503 || asked < 5; asked += 1) {
    const started = performance.now();
    last = (await ready(the.baseUrl)).status;
    // The promise is a second; the rest is for a busy machine.
    assert.ok(performance.now() - started < 4_000, `answered after ${performance.now() - started} ms`);
    await sleep(200);
  }
  await cable.mend();
  await until(the.baseUrl, 200);
});

large("connections that died silently are replaced by new ones before the service is ready", async () => {
  const database = await freshDatabase();
  await using cable = await cableTo(database.url);
  await using the = await world({ env: { DATABASE_URL: cable.url } });
  assert.equal((await ready(the.baseUrl)).status, 200);
  cable.strand();
  await until(the.baseUrl, 503);
  await until(the.baseUrl, 200);
  // Ends the silent connections that nothing has used since.
  await cable.cut();
  await cable.mend();
  await until(the.baseUrl, 200);
});

test("however many ask at once, one check is on its way, and they share its result", async () => {
  await using the = await world();
  const { pool } = the.service.db;
  let checks = 0;
  pool.on("acquire", () => {
    checks += 1;
  });
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const before = pool.waitingCount;
  const asking = Array.from({ length: 200 }, (_, n) => ready(hostsOf(the)[n % 2] ?? ""));
  await sleep(500);
  assert.ok(pool.waitingCount - before <= 2, `${pool.waitingCount} wait for a connection`);
  for (const client of taken) client.release();
  await Promise.all(asking);
  await until(the.baseUrl, 200);
  checks = 0;
  await Promise.all(Array.from({ length: 200 }, () => ready(the.baseUrl)));
  assert.ok(checks < 100, `${checks} checks for 200 questions`);
});

test("a database that became read-only makes the service not ready; reads are served, writes are told so, and it is ready again by itself", async () => {
  const database = await freshDatabase();
  await using the = await world({ env: { DATABASE_URL: database.url } });
  const key = await the.key(["leads:read", "leads:write"]);
  const stored = await key.send("POST", "/api/v1/leads", { name: "Ada" });
  assert.equal(stored.status, 201);
  const name = new URL(database.url).pathname.slice(1);
  const toReadOnly = async (on: boolean) => {
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query("SET default_transaction_read_only = off");
    // On a cluster, it is the coordinator that is read-only.
    await admin.query("SET citus.enable_ddl_propagation = off");
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${on}`);
    // The setting is for new connections, as a failover makes them.
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
      [name],
    );
    await admin.end();
  };
  await toReadOnly(true);
  for (const host of hostsOf(the)) {
    await until(host, 503);
  }
  let seen = await ready(the.baseUrl);
  while (seen.said.reason !== "the database is read-only") {
    await sleep(20);
    seen = await ready(the.baseUrl);
  }
  assert.deepEqual([seen.status, seen.retryAfter], [503, "2"]);
  assert.deepEqual(seen.said.checks.database, { status: "ok" });
  assert.deepEqual(seen.said.checks.writes, { status: "unavailable", reason: "read_only" });
  assert.equal((await fetch(`${the.baseUrl}/livez`)).status, 200);
  const { id } = (await stored.json()) as { id: string };
  for (let n = 0; n < 5; n += 1) {
    assert.equal((await key.send("GET", `/api/v1/leads/${id}`)).status, 200);
    assert.equal((await key.query({})).status, 200);
    const refused = await key.send("POST", "/api/v1/leads", { name: "Bob" });
    const { error } = (await refused.json()) as { error: { code: string } };
    assert.deepEqual([refused.status, error.code], [503, "read_only"]);
    assert.equal(refused.headers.get("retry-after"), "10");
  }
  const metrics = await (await fetch(`${the.baseUrl}/metrics`)).text();
  assert.match(metrics, /leadgate_ready\{check="writes"\} 0/);
  await toReadOnly(false);
  for (const host of hostsOf(the)) await until(host, 200);
  assert.equal((await key.send("POST", "/api/v1/leads", { name: "Bob" })).status, 201);
});
