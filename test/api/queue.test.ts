import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { WORKER_SCHEMA } from "../../src/db/worker-schema.ts";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { bodyOf } from "./support/v1.ts";

const QUEUE = `${WORKER_SCHEMA}._private_jobs`;
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

test("connections lost while two jobs are marked as done do not end the queue either", async () => {
  await using the = await world();
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
