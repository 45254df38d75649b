import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { endedExport, fill, startedExport } from "../api/support/exports.ts";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { addTrigger } from "../citus/triggers.ts";
import { instance } from "../instance.ts";
import { type World, world } from "../world.ts";
import { erasePerson, eraser, tablesWith } from "./support/erasing.ts";

/** Waits until a query of the database has a row. */
async function until(the: World, text: string): Promise<void> {
  while ((await the.sql(text)).length === 0) await sleep(10);
}

const WAITING =
  "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND pid <> pg_backend_pid()";

test("an export that begins while an erasure commits never has the lead, even if the process is killed then", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Secret person" }), 201);
  const begun = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", {}), 202);
  // The commit of the erasure waits for this connection; PostgreSQL completes it although the process is gone.
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("SELECT pg_advisory_lock(1)");
  await the.sql(`CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER late AFTER INSERT ON store.tombstone DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION late()`);
  const child = await instance(the, "api");
  const cut = fetch(`${child.baseUrl}/api/v1/leads/${id}?erase=true`, {
    method: "DELETE",
    headers: { Authorization: `Bearer ${key.text}` },
  }).catch(() => "cut");
  await until(the, `${WAITING} AND query = 'COMMIT'`);
  await child.end("SIGKILL");
  assert.equal(await cut, "cut");
  const stop = keepWorking(the.service);
  await until(the, `SELECT FROM store.job WHERE state = 'done' UNION ALL ${WAITING} AND query <> 'COMMIT'`);
  await holder.end();
  await until(the, "SELECT FROM store.tombstone");
  assert.equal((await endedExport(key, begun.id)).state, "done");
  await stop();
  assert.deepEqual(await tablesWith(the, "Secret person"), []);
});

test("pieces that an interrupted export left are erased, too", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Secret person" }), 201);
  const begun = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", {}), 202);
  await the.sql("INSERT INTO store.job_piece (project_id, job_id, number, bytes) VALUES ($1, $2, 0, $3)", [
    ...[the.project.id, begun.id],
    Buffer.from("Secret person"),
  ]);
  assert.equal((await key.send("DELETE", `/api/v1/leads/${id}?erase=true`)).status, 204);
  assert.deepEqual(await tablesWith(the, "Secret person"), []);
});

test("however many leads are erased while an export is written, it starts again without losing a try", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const ids: string[] = [];
  for (const name of ["Secret person 1", "Secret person 2", "Secret person 3", "Public"])
    ids.push((await leadOf(await key.send("POST", "/api/v1/leads", { name }), 201)).id);
  // Each run of the export waits for this connection before it stores its piece.
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("SELECT pg_advisory_lock(run) FROM generate_series(1, 4) run");
  await the.sql(`CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_query() LIKE '%INSERT INTO job_piece%' THEN PERFORM pg_advisory_xact_lock_shared(attempt) FROM store.job; END IF;
      RETURN NULL; END $$;
    CREATE TRIGGER held BEFORE UPDATE ON store.job FOR EACH STATEMENT EXECUTE FUNCTION held()`);
  const begun = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", {}), 202);
  const stop = keepWorking(the.service);
  const writing = (run: number) =>
    until(
      the,
      `${WAITING} AND query LIKE '%INSERT INTO job_piece%' AND (SELECT attempt FROM store.job) = ${run}`,
    );
  for (const [n, id] of ids.slice(0, 3).entries()) {
    await writing(n + 1);
    assert.equal((await key.send("DELETE", `/api/v1/leads/${id}?erase=true`)).status, 204);
    await holder.query("SELECT pg_advisory_unlock($1)", [n + 1]);
  }
  await writing(4);
  assert.deepEqual(await the.sql("SELECT attempts FROM leadgate_worker.jobs"), [{ attempts: 1 }]);
  await holder.end();
  const { state, done } = await endedExport(key, begun.id);
  assert.deepEqual([state, done], ["done", 1]);
  await stop();
  assert.deepEqual(await tablesWith(the, "Secret person"), []);
});

test("an export that ends while its project's exports are rewritten by an erasure does not fail, and neither does the erasure", async () => {
  await using the = await world({ env: { ROLE: "api", EXPORTS: '{"keptBytes":6000}' } });
  const key = await eraser(the);
  await fill(the, 100);
  const body = { columns: ["id"], format: "ndjson" };
  const stop = keepWorking(the.service);
  // The second file, of 4,000 bytes as well, makes this one expire, whose filter names the person.
  const filter = { field: "name", op: "neq", value: "rita@exports.example" };
  await endedExport(key, (await startedExport(key, { ...body, filter })).id);
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("SELECT pg_advisory_lock(1)");
  await addTrigger(
    ...([the, "held", "AFTER UPDATE ON store.job FOR EACH ROW WHEN (NEW.input <> OLD.input)"] as const),
    "PERFORM pg_advisory_xact_lock(1); RETURN NULL;",
  );
  const erasing = erasePerson(key, { email: "rita@exports.example", expected_leads: 0 });
  await until(the, WAITING);
  const { id } = await startedExport(key, body);
  await until(the, `${WAITING} OFFSET 1`);
  await holder.end();
  assert.equal((await erasing).erased.queries, 1);
  const failed = "SELECT last_error FROM leadgate_worker.jobs WHERE last_error IS NOT NULL";
  await until(
    the,
    `SELECT FROM store.job WHERE id = '${id}' AND state = 'done' UNION ALL SELECT FROM (${failed})`,
  );
  assert.deepEqual(await the.sql(failed), []);
  await stop();
});
