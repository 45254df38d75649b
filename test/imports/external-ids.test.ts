import assert from "node:assert/strict";
import { test } from "node:test";
import { leadOf, type Record_, writer } from "../api/support/writing.ts";
import { world } from "../world.ts";
import { acted, uploaded } from "./support/uploading.ts";

test("a row that gives a lead the external id of another one fails alone, in the dry run as in the commit", async () => {
  await using the = await world();
  const key = await writer(the);
  const create = async (lead: object): Promise<Record_> =>
    await leadOf(await key.send("POST", "/api/v1/leads", lead), 201);
  const one = await create({ external_id: "crm-1" });
  const two = await create({ name: "Two" });
  const file = `id,external_id,name\n${two.id},crm-1,Not changed\n,crm-9,New\n${one.id},,One\n`;
  const { id } = await uploaded(the, key, file);
  const dry = await acted(key, id, "dry-run");
  const done = await acted(key, id, "commit");
  for (const counts of [dry.dry_run, done]) {
    assert.deepEqual([counts?.created, counts?.updated, counts?.failed], [1, 1, 1]);
  }
  const faults = await key.send("GET", `/api/v1/imports/${id}/errors`);
  const { errors } = (await faults.json()) as { errors: { errors: object[] }[] };
  const message = `the lead ${one.id} has this external id`;
  assert.deepEqual(
    errors.map((row) => row.errors),
    [[{ column: "external_id", code: "external_id_taken", message }]],
  );
});

test("undoing an import leaves a lead its new external id if another lead has the former one by now", async () => {
  await using the = await world();
  const key = await writer(the);
  const lead = await leadOf(
    await key.send("POST", "/api/v1/leads", { external_id: "old", name: "Ana" }),
    201,
  );
  const { id } = await uploaded(the, key, `id,external_id,name\n${lead.id},new,Ana Maria\n`);
  assert.equal((await acted(key, id, "commit")).state, "done");
  await leadOf(await key.send("POST", "/api/v1/leads", { external_id: "old" }), 201);
  assert.deepEqual((await acted(key, id, "undo")).undo, { deleted: 0, restored: 1, left: 1 });
  const { external_id, name } = await leadOf(await key.send("GET", `/api/v1/leads/${lead.id}`));
  assert.deepEqual([external_id, name], ["new", "Ana"]);
});

test("a file may pass external ids on: the dry run counts what the commit does, and the undo gives them back", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const create = async (lead: object): Promise<Record_> =>
    await leadOf(await key.send("POST", "/api/v1/leads", lead), 201);
  const one = await create({ external_id: "A" });
  const two = await create({ external_id: "B" });
  const three = await create({ external_id: "D" });
  const four = await create({ external_id: "Z", name: "Not in the file" });
  // More rows than a batch, so that the last one meets what the dry run only remembers.
  const filler = Array.from({ length: 3_000 }, (_, i) => `,f${i},Filler`);
  const rows = [`${one.id},C,One`, `${two.id},A,Two`, ",B,New", `${three.id},E,Three`, ...filler, ",D,Late"];
  const { id } = await uploaded(the, key, `id,external_id,name\n${rows.join("\n")}\n`);
  const dry = await acted(key, id, "dry-run");
  const done = await acted(key, id, "commit");
  for (const counts of [dry.dry_run, done])
    assert.deepEqual([counts?.created, counts?.updated, counts?.failed], [3_002, 3, 0]);
  assert.deepEqual((await acted(key, id, "undo")).undo, { deleted: 3_002, restored: 3, left: 0 });
  const found = await the.sql(
    "SELECT external_id, id FROM store.lead WHERE deleted_at IS NULL ORDER BY external_id",
  );
  assert.deepEqual(found, [
    { external_id: "A", id: one.id },
    { external_id: "B", id: two.id },
    { external_id: "D", id: three.id },
    { external_id: "Z", id: four.id },
  ]);
});

test("the undo of an import that gave two leads' common former id away gives it to one and lists the other", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const create = async (lead: object): Promise<Record_> =>
    await leadOf(await key.send("POST", "/api/v1/leads", lead), 201);
  const one = await create({ external_id: "A" });
  const two = await create({ external_id: "B" });
  const { id } = await uploaded(the, key, `id,external_id\n${one.id},C\n${two.id},D\n`);
  await acted(key, id, "commit");
  // As if a person had given the second lead the id between two batches of the import.
  await the.sql(
    `UPDATE store.event SET data = data || '{"from": "A"}' WHERE lead_id = $1 AND data ->> 'field' = 'external_id'`,
    [two.id],
  );
  const undone = await acted(key, id, "undo");
  assert.deepEqual([undone.state, undone.undo?.left], ["undone", 1]);
  const found = await the.sql("SELECT external_id FROM store.lead ORDER BY external_id");
  assert.deepEqual(found, [{ external_id: "A" }, { external_id: "D" }]);
});

test("an import that created a lead is undone with its own later change of it, but not once another import has changed it", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  // More rows than a batch, so that the last one changes a lead that is stored already.
  const filler = Array.from({ length: 3_000 }, (_, i) => `f${i},Filler`);
  const rows = ["own,First", "others,First", ...filler, "own,Second"];
  const { id } = await uploaded(the, key, `external_id,name\n${rows.join("\n")}\n`);
  const done = await acted(key, id, "commit");
  assert.deepEqual([done.created, done.updated], [3_002, 1]);
  const later = await uploaded(the, key, "external_id,name\nothers,Later\n");
  assert.equal((await acted(key, later.id, "commit")).updated, 1);
  assert.deepEqual((await acted(key, id, "undo")).undo, { deleted: 3_001, restored: 0, left: 1 });
  const found = await the.sql("SELECT external_id, name FROM store.lead WHERE deleted_at IS NULL");
  assert.deepEqual(found, [{ external_id: "others", name: "Later" }]);
});
