import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { endedExport, fill, startedExport } from "../api/support/exports.ts";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { everyNode } from "../citus/every-node.ts";
import { addTrigger, heldUntilEnd } from "../citus/triggers.ts";
import { instance } from "../instance.ts";
import { lockWaits } from "../lock-waits.ts";
import { type World, world } from "../world.ts";
import { erasePerson, eraser, tablesWith } from "./support/erasing.ts";

/** Waits until a query of the database has a row. */
async function until(the: World, text: string): Promise<void> {
  while ((await the.sql(text)).length === 0) await sleep(10);
}

/** How many connections wait for a lock at their end; on a cluster, a node may end its part in two steps. */
const endings = async (the: World) =>
  (await lockWaits(the, "COMMIT%")) + (await lockWaits(the, "PREPARE TRANSACTION%"));

test("an export that begins while an erasure commits never has the lead, even if the process is killed then", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Secret person" }), 201);
  const begun = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", {}), 202);
  // The commit of the erasure waits for this connection; PostgreSQL completes it although the process is gone.
  const holder = await heldUntilEnd(
    the,
    "late",
    "AFTER INSERT ON store.tombstone DEFERRABLE INITIALLY DEFERRED FOR EACH ROW",
    "CONSTRAINT TRIGGER",
  );
  const child = await instance(the, "api");
  const cut = fetch(`${child.baseUrl}/api/v1/leads/${id}?erase=true`, {
    method: "DELETE",
    headers: { Authorization: `Bearer ${key.text}` },
  }).catch(() => "cut");
  while ((await endings(the)) === 0) await sleep(10);
  await child.end("SIGKILL");
  assert.equal(await cut, "cut");
  const stop = keepWorking(the.service);
  const done = "SELECT FROM store.job WHERE state = 'done'";
  while ((await the.sql(done)).length === 0 && (await lockWaits(the)) === (await endings(the)))
    await sleep(10);
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
  const holder = await everyNode(the);
  await holder.query("SELECT pg_advisory_lock(run) FROM generate_series(1, 4) run");
  await addTrigger(
    the,
    "held",
    "BEFORE UPDATE ON store.job FOR EACH STATEMENT",
    `IF current_query() LIKE '%SET done = %' THEN
      EXECUTE format('SELECT pg_advisory_xact_lock_shared(attempt) FROM %s', TG_RELID::regclass);
    END IF;
    RETURN NULL;`,
  );
  const begun = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", {}), 202);
  const stop = keepWorking(the.service);
  const writing = async (run: number) => {
    await until(the, `SELECT FROM store.job WHERE attempt = ${run}`);
    while ((await lockWaits(the, "%SET done = %")) === 0) await sleep(10);
  };
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
  const holder = await heldUntilEnd(
    the,
    "held",
    "AFTER UPDATE ON store.job FOR EACH ROW WHEN (NEW.input <> OLD.input)",
  );
  const erasing = erasePerson(key, { email: "rita@exports.example", expected_leads: 0 });
  while ((await lockWaits(the)) === 0) await sleep(10);
  const { id } = await startedExport(key, body);
  while ((await lockWaits(the)) < 2) await sleep(10);
  await holder.end();
  assert.equal((await erasing).erased.queries, 1);
  const failed = "SELECT last_error FROM leadgate_worker.jobs WHERE last_error IS NOT NULL";
  await until(
    the,
    `SELECT 1 FROM store.job WHERE id = '${id}' AND state = 'done' UNION ALL SELECT 1 FROM (${failed}) AS failed`,
  );
  assert.deepEqual(await the.sql(failed), []);
  await stop();
});
