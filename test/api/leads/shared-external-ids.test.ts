import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { migrate } from "../../../src/db/migrate.ts";
import { world } from "../../world.ts";
import { leadOf, type Record_, told, writer } from "../support/writing.ts";

const FILE = "0035_one_external_id.sql";

test("of leads that shared an external id before it was unique, the oldest keeps it and the others keep it as a custom field", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const other = await the.newProject(the.person);
  const theirs = await writer(the, other.id);
  const create = async (lead: object, by = key): Promise<Record_> =>
    await leadOf(await by.send("POST", "/api/v1/leads", lead), 201);
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'former_external_id', 'Mine', 'number')`,
    [the.project.id],
  );
  const single = await create({ external_id: "single" });
  const young = await create({ name: "young", custom: { former_external_id: 5 } });
  const old = await create({ external_id: "twin", name: "old", created_at: "2019-03-31T14:30:00Z" });
  const third = await create({ name: "third" });
  const deleted = await create({ name: "deleted" });
  await key.send("DELETE", `/api/v1/leads/${deleted.id}`);
  const here = await create({ external_id: "twin" }, theirs);

  // as before the migration
  await the.sql("DROP INDEX store.lead_external_id");
  await the.sql("DELETE FROM leadgate.migration WHERE name = $1", [FILE]);
  await the.sql("UPDATE store.lead SET external_id = 'twin' WHERE id = ANY ($1)", [
    [young.id, third.id, deleted.id],
  ]);
  const warnings: string[] = [];
  const report = (message: string, applied?: object) => applied === undefined && warnings.push(message);
  assert.deepEqual(await migrate(the.databaseUrl, report), [FILE]);

  const read = async ({ id }: Record_, by = key) =>
    await leadOf(await by.send("GET", `/api/v1/leads/${id}?deleted=true`));
  assert.equal((await read(old)).external_id, "twin");
  assert.equal((await read(here, theirs)).external_id, "twin");
  assert.equal((await read(single)).version, 1);
  assert.equal((await read(deleted)).external_id, "twin", "a deleted lead keeps its own");
  const moved = await read(young);
  assert.deepEqual(
    [moved.external_id, moved.custom, moved.version],
    [null, { former_external_id: 5, former_external_id_2: "twin" }, 2],
  );
  assert.deepEqual((await read(third)).custom, { former_external_id_2: "twin" });
  assert.deepEqual((await told(the, young.id)).slice(1).sort(), [
    ["lead.updated", "custom.former_external_id_2", null, "twin"],
    ["lead.updated", "external_id", "twin", null],
  ]);
  const feed = (await (await key.send("GET", "/api/v1/events?types=lead.updated")).json()) as {
    events: { lead_id: string }[];
  };
  assert.deepEqual(
    [...new Set(feed.events.map(({ lead_id }) => lead_id))].sort(),
    [young.id, third.id].sort(),
  );
  const found = await key.send("POST", "/api/v1/leads/search", {
    filter: { field: "custom.former_external_id_2", op: "eq", value: "twin" },
  });
  assert.equal(((await found.json()) as { leads: object[] }).leads.length, 2);

  assert.deepEqual(warnings, [
    `Project ${the.project.id}: 2 leads shared their external id with an older lead. It is now in their custom field former_external_id_2.`,
  ]);
  const entries = await the.sql(
    "SELECT project_id, data FROM leadgate.audit WHERE action = 'external_ids.moved'",
  );
  const first = [young.id, third.id].sort().map((id) => ({ lead_id: id, holder_id: old.id }));
  assert.deepEqual(entries, [
    { project_id: the.project.id, data: { leads: 2, field: "former_external_id_2", first } },
  ]);
  const again = await key.send("PUT", "/api/v1/leads/upsert", {
    lead: { external_id: "twin", name: "Again" },
  });
  assert.equal((await leadOf(again)).id, old.id, "an upsert by it works again");
});

test("the update waits for writers of before, so that no external id is shared after it", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const old = await leadOf(await key.send("POST", "/api/v1/leads", { external_id: "twin" }), 201);
  const young = await leadOf(await key.send("POST", "/api/v1/leads", { name: "young" }), 201);
  await the.sql("DROP INDEX store.lead_external_id");
  await the.sql("DELETE FROM leadgate.migration WHERE name = $1", [FILE]);
  const before = new pg.Client({ connectionString: the.databaseUrl });
  await before.connect();
  await before.query("BEGIN");
  await before.query("UPDATE store.lead SET external_id = 'twin' WHERE id = $1", [young.id]);
  const migrated = migrate(the.databaseUrl, () => undefined).then(
    (files) => files,
    (error: Error) => [error.message],
  );
  const waits =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await the.sql(waits)).length === 0) await sleep(5);
  await before.query("COMMIT");
  await before.end();
  assert.deepEqual(await migrated, [FILE]);
  const ids = await the.sql("SELECT id, external_id FROM store.lead WHERE external_id IS NOT NULL");
  assert.deepEqual(ids, [{ id: old.id, external_id: "twin" }]);
});
