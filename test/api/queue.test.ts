import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { WORKER_SCHEMA } from "../../src/db/worker-schema.ts";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { large } from "../large.ts";
import { slowWrites } from "../slow-writes.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { fill, readExport } from "./support/exports.ts";
import { bodyOf } from "./support/v1.ts";

const QUEUE = `${WORKER_SCHEMA}._private_jobs`;
/** Locks of jobs that a process runs. */
const HELD = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid IS NOT NULL AND objsubid = 1
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32 | objid::bigint) = (SELECT hashtextextended(project_id || '/' || id, 7237003) FROM store.job)`;
const TICKING =
  "FROM pg_stat_activity WHERE query LIKE 'delete from%_private_jobs%' AND wait_event_type = 'Lock' AND datname = current_database()";

test("a connection lost while a job is marked as done ends neither the process nor the queue", async () => {
  await using the = await world();
  const key = await the.key(["leads:read"]);
  {
    await using _ = await heldUp(the);
    await done(key, await begun(key));
    while ((await the.sql(`SELECT pg_terminate_backend(pid) ${TICKING}`)).length === 0) await sleep(20);
  }
  await done(key, await begun(key));
});

large("connections lost while two jobs are marked as done do not end the queue either", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read"]);
  {
    await using _ = await heldUp(the);
    for (const id of [await begun(key), await begun(key)]) await done(key, id);
    while ((await the.sql(`SELECT ${TICKING}`)).length < 2) await sleep(20);
    await the.sql(`SELECT pg_terminate_backend(pid) ${TICKING}`);
  }
  await done(key, await begun(key));
});

test("a process that is stopped just as a job has ended marks it as done first", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key(["leads:read"]);
  const id = await begun(key);
  let stopped = Promise.resolve();
  {
    await using _ = await heldUp(the);
    const stop = keepWorking(the.service);
    await done(key, id);
    while ((await the.sql(`SELECT ${TICKING}`)).length === 0) await sleep(20);
    stopped = stop();
    await sleep(300);
  }
  await stopped;
  assert.deepEqual(await the.sql(`SELECT FROM ${QUEUE}`), []);
});

test("a job whose entry in the queue was lost is run all the same", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key(["leads:read"]);
  const id = await begun(key);
  await the.sql(`DELETE FROM ${QUEUE}`);
  await sweep(the.service);
  assert.equal((await the.sql(`SELECT FROM ${QUEUE}`)).length, 1);
  const stop = keepWorking(the.service);
  await done(key, id);
  await sweep(the.service);
  await stop();
  assert.deepEqual(await the.sql(`SELECT FROM ${QUEUE}`), []);
});

test("a run that lost its job to another one does not take its entry from it", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key(["leads:read"]);
  await fill(the, 3_000);
  const usual = await slowWrites(the, "job_piece", 1);
  const id = await begun(key);
  const stop = keepWorking(the.service);
  while ((await readExport(key, id)).state !== "running") await sleep(20);
  // As when another process takes over a job because the connection with its lock has died.
  await the.sql("UPDATE store.job SET attempt = attempt + 1");
  await the.sql(`UPDATE ${QUEUE} SET locked_by = 'another', locked_at = now()`);
  while ((await the.sql(HELD)).length > 0) await sleep(20);
  await stop();
  assert.deepEqual(await the.sql(`SELECT locked_by FROM ${QUEUE}`), [{ locked_by: "another" }]);
  await usual();
});

/** Holds all jobs in the queue until it is disposed. */
async function heldUp(the: World): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: the.databaseUrl });
  await client.connect();
  await client.query("SELECT pg_advisory_lock(77)");
  await client.query(`CREATE OR REPLACE FUNCTION public.hold_up() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_advisory_xact_lock(77); RETURN OLD; END'`);
  await client.query(
    `CREATE TRIGGER hold_up BEFORE DELETE ON ${QUEUE} FOR EACH ROW EXECUTE FUNCTION public.hold_up()`,
  );
  return { [Symbol.asyncDispose]: () => client.end() };
}

const begun = async (key: KeyActor): Promise<string> =>
  (await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", { format: "csv" }), 202)).id;

async function done(key: KeyActor, id: string): Promise<void> {
  for (let state = ""; state !== "done"; await sleep(20))
    ({ state } = await bodyOf<{ state: string }>(await key.send("GET", `/api/v1/exports/${id}`)));
}
