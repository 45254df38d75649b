import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { found, make, written } from "../datasets/support/dataset.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { type KeyActor, world } from "../world.ts";
import { eraser, tablesWith } from "./support/erasing.ts";

const made = async (key: KeyActor, lead: object) =>
  (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;

const patched = async (key: KeyActor, id: string, lead: object) =>
  await leadOf(await key.send("PATCH", `/api/v1/leads/${id}`, lead));

const erase = async (key: KeyActor, id: string) =>
  assert.equal((await key.send("DELETE", `/api/v1/leads/${id}?erase=true`)).status, 204);

const orders = (key: KeyActor, match: string) =>
  make(key, {
    key: `by_${match}`,
    columns: [
      { key: "who", type: match === "external_id" ? "text" : match },
      { key: "note", type: "text" },
    ],
    lead_link: { column: "who", match },
  });

test("files and rows by an address, number or external id that an erased lead once had are erased, too", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  await the.sql("UPDATE store.project SET default_country = 'BR'");
  const id = await made(key, {
    name: "Zoe",
    email: "Old@former.example",
    phone: "(11) 5550-0177",
    external_id: "OLD-CRM-1",
  });
  await patched(key, id, {
    email: "new@former.example",
    phone: "(11) 5550-0199",
    external_id: "NEW-CRM-1",
  });
  const changed = await uploaded(the, key, `id,emails\n${id},imported@former.example\n`);
  await acted(key, changed.id, "commit");
  await the.sql("UPDATE store.project SET quiet_fields = '{emails}'");
  await patched(key, id, { emails: [] });
  const merged = await made(key, { name: "Zoe", email: "merged@former.example" });
  await bodyOf(await key.send("POST", `/api/v1/leads/${merged}/merge`, { with: id }));
  for (const row of [
    "old@former.example,,,F1 OLD",
    ",+55 11 5550 0177,,F2 OLD",
    ",,OLD-CRM-1,F3 OLD",
    "imported@former.example,,,F4 OLD",
  ]) {
    const file = await uploaded(the, key, `email,phone,external_id,name,emails\n${row},not an address\n`);
    assert.equal((await acted(key, file.id, "commit")).failed, 1, row);
  }
  for (const [match, who] of [
    ["email", "old@former.example"],
    ["phone", "11 5550-0177"],
    ["external_id", "OLD-CRM-1"],
  ] as const) {
    await orders(key, match);
    await written(key, [{ who, note: "R OLD" }], "insert", `by_${match}`);
  }
  const other = await uploaded(the, key, "email\nbo@former.example\n");
  await erase(key, merged);
  for (const mark of [
    "old@former.example",
    "5550-0177",
    "OLD-CRM-1",
    "imported@former",
    ...["F4 OLD", "R OLD"],
  ])
    assert.deepEqual(await tablesWith(the, mark), [], mark);
  assert.deepEqual(
    await the.sql("SELECT id FROM store.import WHERE erased_at IS NULL"),
    [{ id: other.id }],
    "a file without the person stays",
  );
});

test("what a lead once had and another lead has now stays: that lead, its files, its rows and its views", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const bo = { email: "bo@former.example", phone: "+55 11 5550-0123", external_id: "BO-CRM-1" };
  const wrong = await made(key, { name: "Ana", ...bo });
  await patched(key, wrong, {
    ...{ email: "ana@former.example", phone: "+55 11 5550-0124", external_id: "ANA-CRM-1" },
  });
  const id = await made(key, { name: "Bo", ...bo });
  const twin = await made(key, { name: "Cleo", email: "cleo@former.example" });
  const { merge_id: merge } = await bodyOf<{ merge_id: string }>(
    await key.send("POST", `/api/v1/leads/${wrong}/merge`, { with: twin }),
  );
  await bodyOf(await key.send("POST", `/api/v1/merges/${merge}/undo`, {}));
  await patched(key, twin, { email: "cleo@moved.example" });
  const files: string[] = [];
  for (const row of [`${bo.email},,`, `,${bo.phone},`, `,,${bo.external_id}`, "cleo@former.example,,"]) {
    const file = await uploaded(the, key, `email,phone,external_id,emails\n${row},not an address\n`);
    assert.equal((await acted(key, file.id, "commit")).failed, 1, row);
    files.push(file.id);
  }
  for (const match of ["email", "phone", "external_id"] as const) {
    await orders(key, match);
    await written(key, [{ who: bo[match], note: "Bo" }], "insert", `by_${match}`);
  }
  const filter = { field: "email", op: "eq", value: bo.email };
  await bodyOf(await key.send("POST", "/api/v1/views", { name: "Bo", query: { filter } }), 201);
  await erase(key, wrong);
  assert.equal((await leadOf(await key.send("GET", `/api/v1/leads/${id}`))).email, bo.email);
  assert.equal((await key.send("GET", `/api/v1/leads/${twin}`)).status, 200);
  assert.deepEqual(
    (await the.sql<{ id: string }>("SELECT id FROM store.import WHERE erased_at IS NULL ORDER BY id")).map(
      (each) => each.id,
    ),
    files.sort(),
  );
  for (const match of ["email", "phone", "external_id"])
    assert.equal((await found(key, {}, `by_${match}`)).rows.length, 1, match);
  assert.match(JSON.stringify(await bodyOf(await key.send("GET", "/api/v1/views"))), /bo@former/);
});
