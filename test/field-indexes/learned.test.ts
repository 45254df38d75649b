import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { noteSlow, noteUsed } from "../../src/domain/field-index/learn.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { bodyOf } from "../api/support/v1.ts";
import { writer } from "../api/support/writing.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";
import { built, indexesOf, inStep, removed, valuesStored, want } from "./support/indexes.ts";

const order = (field: string) => ({ field, kind: "order" }) as const;

const LEADS = `INSERT INTO store.lead (project_id, id, company, value)
  SELECT $1, 'lead_' || lpad(n::text, 26, '0'), 'Company ' || n % 100, n FROM generate_series(1, $2::integer) AS n`;

const fill = (the: World, count: number, projectId = the.project.id) => the.sql(LEADS, [projectId, count]);

const namesOf = async (the: World) => (await indexesOf(the)).map(({ field, kind }) => `${field} ${kind}`);

test("an index is made when a second statement wants it, if its field can have one, and only in a large project", async () => {
  await using the = await world({ config: { fewestIndexedLeads: 50 } });
  await fill(the, 60);
  const small = await the.newProject(the.person);
  await fill(the, 49, small.id);
  noteSlow(the.service, the.project.id, [order("city"), order("value")]);
  noteSlow(the.service, the.project.id, [order("value")]);
  const wanted = [
    order("tags"),
    order("custom"),
    order("custom.none"),
    order("nothing"),
    order("deleted_at"),
  ];
  want(the, [...wanted, { field: "value", kind: "parts" }, { field: "company", kind: "parts" }]);
  want(the, [order("company")], small.id);
  await built(the, 2);
  assert.deepEqual((await namesOf(the)).sort(), ["company parts", "value order"]);
  assert.deepEqual(
    (await indexesOf(the)).map(({ leads, requested }) => [leads, requested]),
    [
      [60, false],
      [60, false],
    ],
  );
  await inStep(the);
});

test("the budget of a project and of all leads is kept; what nobody uses makes room, but nothing that a project asked for", async () => {
  const fieldIndexes = { perProject: 3, leads: 200 };
  await using the = await world({ config: { fewestIndexedLeads: 0, fieldIndexes } });
  const key = await writer(the);
  await fill(the, 40);
  const seats = { key: "seats", label: "Seats", type: "number", indexed: true };
  await bodyOf(await key.send("POST", "/api/v1/fields", seats), 201);
  await built(the, 1);
  want(the, [order("company"), order("value"), order("city")]);
  await built(the, 3);
  assert.deepEqual(await namesOf(the), ["custom.seats order", "company order", "value order"]);
  // One that nothing used for a week goes first.
  await the.sql("UPDATE store.field_index SET built_at = now() - interval '8 days'");
  want(the, [order("state")]);
  while (!(await namesOf(the)).includes("state order")) await sleep(20);
  assert.deepEqual(await namesOf(the), ["custom.seats order", "value order", "state order"]);
  await built(the, 3);
  // 120 of 200 leads; the index of the value makes room for the last of these.
  const other = await the.newProject(the.person);
  await fill(the, 30, other.id);
  want(the, [order("company"), order("country"), order("city")], other.id);
  while (!(await namesOf(the)).includes("city order")) await sleep(20);
  await built(the, 5);
  const names = ["custom.seats order", "state order", "company order", "country order", "city order"];
  assert.deepEqual(await namesOf(the), names);
  // 170 of 200 leads.
  const [large, small] = [await the.newProject(the.person), await the.newProject(the.person)];
  await fill(the, 31, large.id);
  await fill(the, 30, small.id);
  want(the, [order("company")], large.id);
  await sleep(200);
  want(the, [order("company")], small.id);
  const all = await built(the, 6);
  assert.equal(all.at(-1)?.project_id, small.id);
  assert.equal(all.length, 6);
});

test("without a budget, no index is made", async () => {
  for (const fieldIndexes of [
    { perProject: 0, leads: 100 },
    { perProject: 2, leads: 0 },
  ]) {
    await using the = await world({ config: { fewestIndexedLeads: 0, fieldIndexes } });
    await fill(the, 10);
    want(the, [order("company")]);
    await bodyOf(await (await writer(the)).query({}));
    assert.deepEqual(await namesOf(the), []);
  }
});

test("the use of an index is noted once a day, and one that nothing used for 30 days is dropped with its values", async () => {
  await using the = await world({ config: { fewestIndexedLeads: 0 } });
  const key = await writer(the);
  await fill(the, 20);
  await bodyOf(
    await key.send("POST", "/api/v1/fields", { key: "seats", label: "S", type: "number", indexed: true }),
    201,
  );
  want(the, [order("company"), order("value")]);
  const [, company, value] = await built(the, 3);
  const used = async () =>
    await the.sql<{ id: number; at: Date }>(
      "SELECT id, used_at AS at FROM store.field_index WHERE used_at IS NOT NULL",
    );
  noteUsed(the.service, the.project.id, [value?.id ?? 0]);
  while ((await used()).length === 0) await sleep(20);
  const before = await used();
  noteUsed(the.service, the.project.id, [value?.id ?? 0]);
  noteUsed(the.service, the.project.id, [company?.id ?? 0]);
  while ((await used()).length === 1) await sleep(20);
  assert.deepEqual(
    (await used()).find(({ id }) => id === value?.id),
    before[0],
  );
  await the.sql(
    "UPDATE store.field_index SET built_at = now() - interval '31 days', used_at = now() - interval '29 days'",
  );
  await the.sql("UPDATE store.field_index SET used_at = NULL WHERE field IN ('company', 'custom.seats')");
  assert.ok(await sweep(the.service));
  await removed(the);
  assert.deepEqual(await namesOf(the), ["custom.seats order", "value order"]);
  assert.equal(await valuesStored(the), 40);
});

large("a process that is killed while it builds or removes an index leaves it to the next one", async () => {
  await using the = await world({ env: { ROLE: "api" }, config: { fewestIndexedLeads: 0 } });
  await fill(the, 30_000);
  await the.sql(
    `INSERT INTO store.field_index (project_id, field, kind, form)
    VALUES ($1, 'company', 'order', 'folded'), ($1, 'value', 'order', 'number'), ($1, 'updated_at', 'order', 'moment')`,
    [the.project.id],
  );
  for (const enough of [1, 40_000]) {
    const child = await instance(the, "worker");
    while ((await valuesStored(the)) < enough) await sleep(5);
    await child.end("SIGKILL");
    assert.ok((await indexesOf(the)).some((index) => !index.built));
  }
  const child = await instance(the, "worker");
  await built(the, 3);
  await inStep(the);
  await the.sql("UPDATE store.field_index SET dropped_at = now() WHERE field <> 'value'");
  await child.end("SIGTERM");
  const last = await instance(the, "worker");
  await removed(the);
  assert.equal(await valuesStored(the), 30_000);
  await last.end("SIGTERM");
});
