import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../src/core/id.ts";
import { bodyOf } from "../api/support/v1.ts";
import { insertAll, olderDatabase } from "../changes/support/older-database.ts";
import { world } from "../world.ts";
import { built, inStep } from "./support/indexes.ts";

const OLD = { project_id: newId("prj") };
const CHANGE = newId("chg");
const lead = (n: number) => ({ ...OLD, id: `lead_${n}`, custom: { seats: n } });
const field = { ...OLD, label: "F", type: "number" };

/** What a change has of a field that was deleted, as the former version wrote it. */
const DEFINITION = {
  ...{
    key: "size",
    type: "number",
    label: "Size",
    options: [],
    position: 0,
    timeline: true,
    description: null,
  },
  ...{ index_name: "size#0123", created_at: "2026-01-01T00:00:00+00:00" },
};

test("a database with the former index of numbers is migrated: marked fields are indexed again, and deleted ones come back as they were", async () => {
  const url = await olderDatabase("0050", async (client) => {
    await insertAll(client, {
      "store.project": [{ ...OLD, name: "Old", slug: "old" }],
      "store.custom_field": [
        { ...field, key: "seats", index_name: "seats#4567", index_built_at: "2026-01-01" },
        { ...field, key: "rooms", index_name: null, index_built_at: null },
      ],
      "store.lead": [1, 2, 3].map(lead),
    });
    await client.query(
      `INSERT INTO store.change (project_id, id, kind, surface, actor, about, counts)
       VALUES ($1, $2, 'field.delete', 'api', '{}', '{"field": "size"}', '{"fields_changed": 1}')`,
      [OLD.project_id, CHANGE],
    );
    await client.query(
      `INSERT INTO store.change_item (project_id, change_id, id, kind, record_id, before)
       VALUES ($1, $2, 'evt_old', 'field', 'size', $3)`,
      [OLD.project_id, CHANGE, JSON.stringify(DEFINITION)],
    );
  });
  await using the = await world({ env: { DATABASE_URL: url } });
  const key = await the.key(["leads:read", "leads:write", "schema:write"], OLD.project_id);
  assert.deepEqual(
    (await built(the, 1)).map((index) => [index.field, index.requested, index.leads]),
    [["custom.seats", true, 3]],
  );
  await inStep(the);
  const read = async (name: string) =>
    await bodyOf<{ indexed: boolean; index_built_at: string | null }>(
      await key.send("GET", `/api/v1/fields/${name}`),
    );
  assert.equal((await read("seats")).indexed, true);
  assert.deepEqual([(await read("rooms")).indexed, (await read("rooms")).index_built_at], [false, null]);
  await the.sql(
    "UPDATE store.change SET actor = jsonb_build_object('type', 'key', 'id', $1::text) WHERE id = $2",
    [key.id, CHANGE],
  );
  await bodyOf(await key.send("POST", `/api/v1/changes/${CHANGE}/undo`, {}));
  assert.equal((await read("size")).indexed, true);
});
