import assert from "node:assert/strict";
import { test } from "node:test";
import { countsOf, importText } from "../../imports/support/importing.ts";
import { type World, world } from "../../world.ts";
import { addLeads, idsOf, pageOf } from "../support/leads.ts";
import { bodyOf } from "../support/v1.ts";
import { leadOf, writer } from "../support/writing.ts";

const FIELD =
  "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'tel2', 'Tel 2', $2)";

async function brazil(type = "phone"): Promise<World> {
  const the = await world();
  await the.sql("UPDATE store.project SET default_country = 'BR' WHERE project_id = $1", [the.project.id]);
  await the.sql(FIELD, [the.project.id, type]);
  return the;
}

test("a custom phone is kept in E.164 and found however its number is written", async () => {
  await using the = await brazil();
  const key = await writer(the);
  const { id, custom } = await leadOf(
    await key.send("POST", "/api/v1/leads", { custom: { tel2: "11 98765-4321" } }),
    201,
  );
  assert.deepEqual(custom, { tel2: "+5511987654321" });
  const [old] = await addLeads(the, [{ custom: { tel2: "(11) 98765-4321" } }]);
  const field = "custom.tel2";
  for (const value of ["+5511987654321", "11 98765-4321", "+55 (11) 98765 4321"]) {
    const found = await pageOf(await key.query({ filter: { field, op: "eq", value } }));
    assert.deepEqual(idsOf(found), [id], value);
    const others = await pageOf(await key.query({ filter: { field, op: "not_in", value: [value] } }));
    assert.deepEqual(idsOf(others), [old], value);
  }
  const kept = await pageOf(await key.query({ filter: { field, op: "in", value: ["(11) 98765-4321"] } }));
  assert.deepEqual(idsOf(kept).sort(), [id, old].sort());
});

test("texts that become phones are kept as phones that are written", async () => {
  await using the = await brazil("text");
  const key = await writer(the);
  const { id } = await leadOf(
    await key.send("POST", "/api/v1/leads", { custom: { tel2: "11 98765-4321" } }),
    201,
  );
  await bodyOf(await key.send("PATCH", "/api/v1/fields/tel2", { type: "phone" }));
  const { custom } = await leadOf(await key.send("GET", `/api/v1/leads/${id}`));
  assert.deepEqual(custom, { tel2: "+5511987654321" });
});

test("a file's phones are kept as those of JSON", async () => {
  await using the = await brazil();
  const key = await writer(the);
  const file = "external_id,custom.tel2\na,11 98765-4321\nb,11 98765-4321 ext. 5\n";
  assert.deepEqual(countsOf(await importText(the, file)), [2, 2, 0, 0, 0, 0]);
  assert.deepEqual(countsOf(await importText(the, file)), [2, 0, 0, 2, 0, 0]);
  const sort = [{ field: "external_id" }];
  const { leads } = await pageOf(await key.query({ sort }));
  assert.deepEqual(
    leads.map(({ custom }) => custom),
    [{ tel2: "+5511987654321" }, { tel2: "11 98765-4321 ext. 5" }],
  );
});
