import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { make } from "../datasets/support/dataset.ts";
import { ended, send, uploaded } from "../imports/support/uploading.ts";
import { lockWaits } from "../lock-waits.ts";
import { world } from "../world.ts";
import { erasePerson, eraser, tablesWith } from "./support/erasing.ts";

const EMAIL = "rita@remains.example.org";

test("rows that an import wrote are erased from what an undo needs after their dataset was deleted", async () => {
  await using the = await world();
  const key = await eraser(the);
  await make(key, {
    key: "orders",
    columns: [
      { key: "mail", type: "email" },
      { key: "note", type: "text" },
    ],
    lead_link: { column: "mail", match: "email" },
  });
  const file = `mail,note\n${EMAIL},Rita\nbo@remains.example.org,Bo\n`;
  const { id } = await bodyOf<{ id: string }>(await send(the, key, file, { query: "?dataset=orders" }), 201);
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/commit`, {}), 202);
  await ended(key, id);
  await key.send("DELETE", "/api/v1/datasets/orders");
  assert.ok((await tablesWith(the, EMAIL)).includes("store.change_item"));
  await erasePerson(key, { email: EMAIL, expected_leads: 0 });
  assert.deepEqual(await tablesWith(the, EMAIL), []);
  assert.deepEqual(
    (await tablesWith(the, "bo@remains")).filter((name) => name === "store.change_item"),
    ["store.change_item"],
  );
});

test("rows that a person had are erased from every change that wrote or deleted them, and an undo does not bring them back", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const columns = [
    { key: "mail", type: "email" },
    { key: "note", type: "text" },
  ];
  await make(key, { key: "orders", columns, lead_link: { column: "mail", match: "email" } });
  const rows = (list: object[], mode = "insert") =>
    key.send("POST", "/api/datasets/orders/rows/", { rows: list, mode });
  const { results } = await bodyOf<{ results: { id: string }[] }>(
    await rows([{ mail: EMAIL }, { mail: "bo@remains.example.org" }, { note: `of ${EMAIL}` }]),
  );
  const ids = results.map(({ id }) => id);
  await bodyOf(await rows([{ _id: ids[0], note: "Rita's own" }], "update"));
  await bodyOf(await rows([{ _id: ids[2], note: null }], "update"));
  await bodyOf(await key.send("DELETE", "/api/datasets/orders/rows/", { ids: ids.slice(0, 2) }));
  assert.deepEqual((await tablesWith(the, EMAIL)).sort(), ["store.change_item"]);
  await erasePerson(key, { email: EMAIL, expected_leads: 0 });
  assert.deepEqual(await tablesWith(the, EMAIL), []);
  const left = await the.sql<{ record_id: string }>(
    "SELECT record_id FROM store.change_item WHERE before IS NOT NULL",
  );
  assert.deepEqual(left, [{ record_id: ids[1] }]);
});

test("what an undone merge gave another lead is erased from that lead's history with its person; the rest of it stays", async () => {
  await using the = await world();
  const key = await eraser(the);
  const made = async (lead: object) => (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;
  const other = await made({ name: "Cleo", email: "cleo@remains.example.org" });
  await leadOf(await key.send("PATCH", `/api/v1/leads/${other}`, { job_title: "Cook" }));
  const rita = await made({ name: "Rita", email: EMAIL, company: "Quartz Works" });
  const { merge_id: merge } = await bodyOf<{ merge_id: string }>(
    await key.send("POST", `/api/v1/leads/${other}/merge`, { with: rita }),
  );
  await bodyOf(await key.send("POST", `/api/v1/merges/${merge}/undo`, {}));
  const changed = async () => {
    const answer = await key.send("GET", `/api/v1/leads/${other}/events?types=lead.updated`);
    const { events } = await bodyOf<{ events: { data: { field: string } }[] }>(answer);
    return events.map(({ data }) => data.field);
  };
  assert.ok((await changed()).includes("company"));
  assert.equal((await key.send("DELETE", `/api/v1/leads/${rita}?erase=true`)).status, 204);
  assert.deepEqual(await changed(), ["job_title"]);
  for (const mark of [EMAIL, "Quartz Works"]) assert.deepEqual(await tablesWith(the, mark), [], mark);
});

test("a question about a file quotes no cell of it any more once its person is erased", async () => {
  await using the = await world();
  const key = await eraser(the);
  const { id } = await uploaded(the, key, `email,created_at\n${EMAIL},03/04/1985\n`);
  const [before] = await the.sql<{ asked: object[] }>("SELECT asked FROM store.import WHERE id = $1", [id]);
  assert.match(JSON.stringify(before?.asked), /03\/04\/1985/);
  await erasePerson(key, { email: EMAIL, expected_leads: 0 });
  assert.deepEqual(await tablesWith(the, "03/04/1985"), []);
});

test("what a waiting export was asked no longer names the person, and it still ends", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const filter = { field: "email", op: "eq", value: EMAIL };
  await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/exports", { filter }), 202);
  await erasePerson(key, { email: EMAIL, expected_leads: 0 });
  assert.deepEqual(await tablesWith(the, EMAIL), []);
});

test("failed rows of an import without a stored file that ends while it is erased are erased, too", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Rita", email: EMAIL }), 201);
  const { id: other } = await uploaded(the, key, "email\nbo@remains.example.org\n");
  await the.sql("DELETE FROM store.import_piece");
  await the.sql("UPDATE store.import SET state = 'done', bytes = NULL, job_id = NULL");
  await the.sql(
    "INSERT INTO store.import_failure (project_id, import_id, number, row, cells, faults) VALUES ($1, $2, 1, 2, $3, '[]')",
    [the.project.id, other, JSON.stringify(["bo@remains.example.org"])],
  );
  // The erasure has searched the failures when it waits for the lead; then the import touches the lead, and ends.
  const held = await the.service.db.pool.connect();
  await held.query("BEGIN");
  await held.query("SELECT FROM store.lead WHERE project_id = $1 AND id = $2 FOR UPDATE", [
    the.project.id,
    id,
  ]);
  const erasing = erasePerson(key, { email: EMAIL, expected_leads: 1 });
  while ((await lockWaits(the, "%FOR UPDATE%")) === 0) await sleep(10);
  await held.query(
    "INSERT INTO store.change (project_id, id, kind, surface, actor) VALUES ($1, 'chg_1', 'import', 'api', '{}')",
    [the.project.id],
  );
  await held.query("UPDATE store.import SET change_id = 'chg_1' WHERE project_id = $1 AND id = $2", [
    the.project.id,
    other,
  ]);
  await held.query(
    "INSERT INTO store.change_item (project_id, change_id, id, kind, record_id) VALUES ($1, 'chg_1', 'evt_1', 'lead', $2)",
    [the.project.id, id],
  );
  await held.query(
    "INSERT INTO store.import_failure (project_id, import_id, number, row, cells, faults) VALUES ($1, $2, 2, 3, $3, '[]')",
    [the.project.id, other, JSON.stringify([EMAIL])],
  );
  await held.query("COMMIT");
  held.release();
  await erasing;
  assert.deepEqual(await tablesWith(the, EMAIL), []);
});
