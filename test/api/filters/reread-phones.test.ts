import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { rereadPhones } from "../../../src/domain/upkeep/reread-phones.ts";
import { make, written } from "../../datasets/support/dataset.ts";
import { erasePerson, eraser } from "../../erasure/support/erasing.ts";
import { type World, world } from "../../world.ts";
import { addLeads, idsOf, pageOf } from "../support/leads.ts";
import { leadOf } from "../support/writing.ts";

const MIGRATION = new URL("../../../db/migrations/0037_phone_search.sql", import.meta.url);

/** Does what the update does to the leads there are. */
async function update(the: World): Promise<void> {
  const [statement = ""] = /^INSERT INTO phone_to_read [^;]*;/m.exec(readFileSync(MIGRATION, "utf8")) ?? [];
  await the.sql(statement);
  await rereadPhones(the.service);
  assert.deepEqual(await the.sql("SELECT FROM phone_to_read"), []);
}

/** A text, as it was read before the update, and as it is read after it. */
type Reading = [phone: string, before: string | null, after: string | null];

const READ: Record<string, Reading[]> = {
  BR: [
    ["0055 11 91609-7776", "+11916097776", "+5511916097776"],
    ["(00) 55 (21) 3456-7890", null, "+552134567890"],
    ["+52 1 55 1234 5678", null, "+525512345678"],
    ["0031 6 12345678", "+612345678", "+31612345678"],
    ["0065 6123 4567", "+61234567", "+6561234567"],
    ["0043 664 1234567", "+6641234567", "+436641234567"],
    ["0044 20 7946 0958", null, "+442079460958"],
    ["00351 21 123 4567", null, "+351211234567"],
    ["0055 11 98765-4321 x5", null, "+5511987654321"],
    ["+1 191 609 7776", "+11916097776", "+11916097776"],
    ["(11) 91609-7777", "+5511916097777", "+5511916097777"],
    ["Ana's number", null, null],
  ],
  MX: [
    ["1 55 1234 5678", null, "+525512345678"],
    ["55 1234 5679", "+525512345679", "+525512345679"],
  ],
};

for (const [country, readings] of Object.entries(READ))
  test(`numbers from before the update are read as they are now, and are found by that, in a project of ${country}`, async () => {
    await using the = await world();
    await the.sql("UPDATE store.project SET default_country = $1", [country]);
    const key = await eraser(the);
    const ids = await addLeads(
      the,
      readings.map(([phone, phone_e164]) => ({ phone, phone_e164 })),
    );
    await update(the);
    for (const [n, [phone, , after]] of readings.entries()) {
      const [lead] = await the.sql<{ phone_e164: string | null }>(
        "SELECT phone_e164 FROM store.lead WHERE id = $1",
        [ids[n]],
      );
      assert.equal(lead?.phone_e164, after, phone);
      if (after === null) continue;
      const body = { match_on: ["phone"], lead: { phone, name: "Maria" } };
      assert.equal((await leadOf(await key.send("PUT", "/api/v1/leads/upsert", body))).id, ids[n], phone);
      const { erased } = await erasePerson(key, { phone, expected_leads: 1 });
      assert.equal(erased.leads, 1, phone);
    }
  });

test("more numbers than a batch has are all read, in every project", async () => {
  await using the = await world({ alone: true });
  const other = (await the.newProject(the.person, "Other")).id;
  for (const [project, count] of [
    [the.project.id, 1001],
    [other, 2],
  ])
    await the.sql(
      `INSERT INTO store.lead (project_id, id, phone) SELECT $1, 'lead_' || lpad(i::text, 26, '0'), '0044 20 7946 0958'
       FROM generate_series(1, $2::integer) i`,
      [project, count],
    );
  await update(the);
  const [left] = await the.sql(
    "SELECT FROM store.lead WHERE phone_e164 IS DISTINCT FROM '+442079460958' LIMIT 1",
  );
  assert.equal(left, undefined);
});

const CALLS = {
  key: "calls",
  name: "Calls",
  columns: [
    { key: "phone", type: "phone", unique: true },
    { key: "note", type: "text" },
  ],
  key_column: "phone",
  lead_link: { column: "phone", match: "phone" },
};

test("rows and custom phones follow the number of their lead, and the rows are erased with it", async () => {
  await using the = await world({ alone: true });
  await the.sql("UPDATE store.project SET default_country = 'BR'");
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'mobile', 'Mobile', 'phone')",
    [the.project.id],
  );
  const key = await eraser(the);
  await make(key, CALLS);
  const phone = "0055 11 98765-4321";
  await written(key, [{ phone: "+11987654321", note: "ours" }, { phone: "+12025550142" }], "insert", "calls");
  const [id = "", american] = await addLeads(the, [
    { phone, phone_e164: "+11987654321", custom: { mobile: "+11987654321" } },
    { phone: "0055 11 98765-4322", phone_e164: "+12025550142" },
    { phone: "+1 202 555 0142", phone_e164: "+12025550142", custom: { mobile: "+11987654321" } },
  ]).then(([first, , last]) => [first, last]);
  await update(the);
  const linked = await pageOf(await key.query({ filter: { dataset: { key: "calls" } } }));
  assert.deepEqual(
    idsOf(linked).sort(),
    [id, american].sort(),
    "a number that another lead has stays its own",
  );
  const custom = { field: "custom.mobile", op: "eq", value: phone };
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter: custom }))), [id]);
  const again = await written(key, [{ phone, note: "ours" }], "upsert", "calls");
  assert.deepEqual([again.created, again.unchanged], [0, 1]);
  const { erased } = await erasePerson(key, { phone, expected_leads: 1 });
  assert.equal(erased.leads, 1);
  const left = await the.sql<{ link: string }>(
    "SELECT coalesce(link0, link1) AS link FROM store.dataset_row",
  );
  assert.deepEqual(left, [{ link: "+12025550142" }]);
});
