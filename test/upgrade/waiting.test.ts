import assert from "node:assert/strict";
import { get } from "node:http";
import { test } from "node:test";
import pg from "pg";
import { freshDatabase } from "../template.ts";
import { begun, until } from "./support/process.ts";

/** The advisory lock of the process that migrates. */
const LOCK = 7_237_001;

/** Another process that migrates, as far as instances can see. */
async function migrator(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
  return client;
}

/** Calls a page without the checks of `fetch`, which know no stand-in. */
const call = (url: string) =>
  new Promise<{ status: number | undefined; retry: string | undefined; body: string }>((resolve, reject) => {
    get(url, (answer) => {
      let body = "";
      answer.on("data", (data: Buffer) => {
        body += data.toString();
      });
      const { statusCode: status, headers } = answer;
      answer.on("end", () => resolve({ status, retry: headers["retry-after"], body }));
    }).on("error", reject);
  });

test("an instance that waits for another's migration is alive but not ready, and serves when that one is killed", async (t) => {
  const database = await freshDatabase();
  const other = await migrator(database.url);
  const waiting = await begun(t, database.url);
  await until(503, waiting);
  for (const url of [waiting.authUrl, waiting.baseUrl]) {
    const alive = await call(`${url}/livez`);
    assert.deepEqual([alive.status, alive.body], [200, '{"status":"ok"}']);
    assert.equal((await call(`${url}/readyz`)).body, '{"status":"migrating"}');
    const page = await call(`${url}/api/v1/leads`);
    assert.equal(page.status, 503);
    assert.ok(Number(page.retry) > 0);
    assert.match(page.body, /The service is being upgraded/);
  }
  const killer = new pg.Client(database.url);
  await killer.connect();
  await killer.query(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    [LOCK],
  );
  await killer.end();
  await until(200, waiting);
  waiting.child.kill("SIGTERM");
  assert.equal(await waiting.ended, 0, waiting.printed());
  await other.end().catch(() => undefined);
  await database.drop();
});

test("SIGTERM ends an instance that waits for another's migration with 0, while that one goes on", async (t) => {
  const database = await freshDatabase();
  const other = await migrator(database.url);
  const waiting = await begun(t, database.url);
  await until(503, waiting);
  waiting.child.kill("SIGTERM");
  assert.equal(await waiting.ended, 0, waiting.printed());
  await other.end();
  await database.drop();
});
