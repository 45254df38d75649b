import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { newId } from "../../../src/core/id.ts";
import { importText } from "../../imports/support/importing.ts";
import { lockWaits } from "../../lock-waits.ts";
import { type World, world } from "../../world.ts";
import { leadOf, writer } from "../support/writing.ts";

const URL_ = "/api/v1/leads";

/**
 * Another writer, in a transaction of its own, which PostgreSQL does not end if it and a call wait for each other: on a cluster
 * neither does the worker's, which gets the setting.
 */
async function otherWriter(the: World): Promise<pg.Client> {
  const other = new pg.Client({ connectionString: the.databaseUrl });
  await other.connect();
  await other.query("SET citus.propagate_set_commands = 'local'");
  await other.query("BEGIN");
  await other.query("SET LOCAL deadlock_timeout = '10min'");
  return other;
}

const insert = (the: World, other: pg.Client, externalId: string) =>
  other.query("INSERT INTO store.lead (project_id, id, external_id) VALUES ($1, $2, $3)", [
    ...[the.project.id, newId("lead"), externalId],
  ]);

/** Makes the call, which needs `m` and then `a`, while another writer has `a` and then needs `m`. */
async function crossed<T>(the: World, call: () => Promise<T>): Promise<T> {
  const other = await otherWriter(the);
  await insert(the, other, "a");
  const answer = call();
  while ((await lockWaits(the)) === 0) await sleep(5);
  await insert(the, other, "m");
  await other.query("COMMIT");
  await other.end();
  return await answer;
}

const living = async (the: World) =>
  (
    await the.sql<{ external_id: string }>(
      "SELECT external_id FROM store.lead WHERE deleted_at IS NULL AND external_id IS NOT NULL ORDER BY 1",
    )
  ).map(({ external_id: externalId }) => externalId);

test("a bulk upsert and a writer that wait for each other's external ids both succeed", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  await leadOf(await key.send("POST", URL_, { email: "l@x.example" }), 201);
  const items = [{ external_id: "m" }, { email: "l@x.example", external_id: "a" }];
  const answer = await crossed(the, () => key.send("POST", `${URL_}/bulk`, { op: "upsert", items }));
  assert.equal(answer.status, 200);
  assert.deepEqual(await living(the), ["a", "m"]);
});

test("an import and a writer that wait for each other's external ids both end, and a row whose id is another lead's by then is a conflict", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  await leadOf(await key.send("POST", URL_, { email: "l@x.example" }), 201);
  const report = await crossed(the, () =>
    importText(the, "email,external_id,name\n,m,Mia\nl@x.example,a,Lia\n"),
  );
  assert.deepEqual([report.updated, report.failed], [1, 1]);
  assert.equal(report.failures[0]?.code, "identity_conflict");
  assert.deepEqual(await living(the), ["a", "m"]);
});

test("upserts that wait for each other leave connections to all other calls", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const lead = await leadOf(await key.send("POST", URL_, { email: "l@x.example" }), 201);
  const other = await otherWriter(the);
  await other.query("SELECT FROM store.lead WHERE project_id = $1 FOR UPDATE", [the.project.id]);
  const upserts = Array.from({ length: 24 }, (_, i) =>
    key.send("PUT", `${URL_}/upsert`, { lead: { email: "l@x.example", name: `n${i}` } }),
  );
  while ((await lockWaits(the)) === 0) await sleep(5);
  await leadOf(await key.send("GET", `${URL_}/${lead.id}`));
  await other.query("COMMIT");
  await other.end();
  await Promise.allSettled(upserts);
});
