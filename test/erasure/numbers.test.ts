import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, refusalOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { uploaded } from "../imports/support/uploading.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { erasePerson, eraser, tablesWith } from "./support/erasing.ts";

const made = async (key: KeyActor, lead: object) =>
  (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;

const country = (the: World, code: string) =>
  the.sql("UPDATE store.project SET default_country = $1", [code]);

test("a lead is found by its number as it was written, also if the project had no country then, and by short numbers", async () => {
  await using the = await world();
  const key = await eraser(the);
  await made(key, { name: "Before", phone: "(11) 5550-0177" });
  await made(key, { name: "Other", phone: "(21) 5550-0177" });
  await country(the, "BR");
  const dry = await erasePerson(key, { phone: "+55 11 5550-0177", dry_run: true });
  assert.equal(dry.erased.leads, 1);
  await country(the, "IS");
  await made(key, { name: "Short", phones: ["581 2345"] });
  await made(key, { name: "Short", phone: "+354 581 2345" });
  const done = await erasePerson(key, { phone: "581-2345", expected_leads: 2 });
  assert.equal(done.erased.leads, 2);
  assert.deepEqual(await tablesWith(the, "Short"), []);
});

test("a waiting import whose file has the person in another writing is not overlooked: 409, and the file goes with its person", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await eraser(the);
  const lead = { name: "Zed", phone: "+354 581 2345", external_id: "crm-77" };
  const id = await made(key, lead);
  const mapping = { columns: { name: "name" }, set: { external_id: "crm-{id}" } };
  const sent = async (file: string, mapped: boolean) => {
    const { id } = await uploaded(the, key, file);
    if (mapped) await bodyOf(await key.send("PUT", `/api/v1/imports/${id}/mapping`, mapping));
    return id;
  };
  const files: [string, boolean][] = [
    ["name,phone\nZ,581 2345\n", false],
    ["name,phone\nZ,٥٨١ ٢٣٤٥\n", false],
    ["name,id\nZ,77\n", true],
  ];
  await country(the, "IS");
  for (const [file, mapped] of files) {
    const mine = await sent(file, mapped);
    await bodyOf(await key.send("POST", `/api/v1/imports/${mine}/commit`), 202);
    const answer = await refusalOf(await key.send("DELETE", `/api/v1/leads/${id}?erase=true`));
    assert.deepEqual([answer.status, answer.code], [409, "import_running"], file);
    await bodyOf(await key.send("POST", `/api/v1/imports/${mine}/cancel`));
  }
  const other = await sent("name,id\nY,7\nX,777\n", true);
  assert.equal((await key.send("DELETE", `/api/v1/leads/${id}?erase=true`)).status, 204);
  assert.equal((await the.sql("SELECT FROM store.import WHERE erased_at IS NULL")).length, 1);
  await bodyOf(await key.send("POST", `/api/v1/imports/${other}/commit`), 202);
});
