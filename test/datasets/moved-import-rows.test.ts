import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import pg from "pg";
import { isId } from "../../src/core/id.ts";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";
import { bodyOf, found, make, written } from "./support/dataset.ts";
import { actedOn, IMPORTER, imported } from "./support/importing.ts";

/** Gives the database the form of before the migration, with what imports kept then. */
const BEFORE = `
  DROP VIEW leadgate.import;
  DROP INDEX store.change_item_kept;
  ALTER TABLE store.import DROP undo_change_id, DROP undo_at;
  CREATE TABLE store.import_row (
    project_id text COLLATE "C" NOT NULL, import_id text COLLATE "C" NOT NULL, row_id text COLLATE "C" NOT NULL,
    number integer NOT NULL, version integer NOT NULL, before jsonb, after jsonb NOT NULL DEFAULT '{}',
    undone boolean NOT NULL DEFAULT false, kept jsonb, PRIMARY KEY (project_id, import_id, row_id),
    FOREIGN KEY (project_id, import_id) REFERENCES store.import (project_id, id) ON DELETE CASCADE);
  SELECT wall('import'), wall('import_row');
  INSERT INTO store.import_row (project_id, import_id, row_id, number, version, before, after)
    SELECT i.project_id, i.id, c.record_id, row_number() OVER (ORDER BY c.id), c.version, c.before,
      CASE WHEN c.before IS NULL THEN '{}' ELSE c.after END
    FROM store.import i JOIN store.change_item c ON c.project_id = i.project_id AND c.change_id = i.change_id;
  DELETE FROM store.change;
  UPDATE store.import SET change_id = NULL`;

const MIGRATION = readFileSync("db/migrations/0046_dataset_rows_in_changes.sql", "utf8");

async function asMigrated(the: World, between: string): Promise<void> {
  const client = new pg.Client({ connectionString: the.databaseUrl });
  await client.connect();
  await client.query("SET search_path = leadgate, public");
  for (const text of [BEFORE, between, MIGRATION]) await client.query(`BEGIN; ${text}; COMMIT`);
  await client.end();
}

const columns = [
  { key: "domain", type: "text" },
  { key: "code", type: "text", unique: true },
];

test("an import of before is undone after the migration, and what an undo of before kept is still listed", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(IMPORTER);
  await make(key, { key: "companies", columns, key_column: "domain" });
  await written(key, [
    { domain: "a", code: "1" },
    { domain: "b", code: "2" },
  ]);
  const first = await imported(the, key, "domain,code\na,3\nb,1\nc,2\n");
  const second = await imported(the, key, "domain,code\nd,4\ne,5\n");
  const old = await imported(the, key, "domain,code\nf,6\n");
  const { rows } = await found(key);
  const d = rows.find(({ domain }) => domain === "d")?._id;
  await asMigrated(
    the,
    `UPDATE store.import SET expires_at = now() - interval '1 day' WHERE id = '${old.id}';
     UPDATE store.import SET state = 'undone', undo = '{"deleted": 1, "restored": 0, "left": 1}' WHERE id = '${second.id}';
     UPDATE store.import_row SET undone = row_id <> '${d}',
       kept = CASE WHEN row_id = '${d}' THEN '{"reason": "changed", "fields": ["code"]}'::jsonb END WHERE import_id = '${second.id}'`,
  );
  const changes = await the.sql<{
    id: string;
    kind: string;
    undone_by: string | null;
    actor: object;
    bytes: number;
  }>("SELECT id, kind, undone_by, actor, bytes::integer FROM store.change ORDER BY id");
  for (const { id } of changes) assert.ok(isId("chg", id), id);
  assert.deepEqual(changes.map(({ kind }) => kind).sort(), ["import", "import", "undo"]);
  const items = await the.sql<{ id: string }>("SELECT id FROM store.change_item ORDER BY id");
  for (const { id } of items) assert.ok(isId("evt", id), id);
  assert.equal(items.length, 4);
  const { rows: kept } = await bodyOf<{ rows: object[] }>(
    await key.send("GET", `/api/v1/imports/${second.id}/kept`),
  );
  assert.deepEqual(kept, [{ row_id: d, reason: "changed", fields: ["code"] }]);
  assert.deepEqual((await actedOn(key, first.id, "undo")).undo, { deleted: 1, restored: 2, left: 0 });
  const left = (await found(key, { sort: [{ field: "domain" }] })).rows;
  assert.deepEqual(
    left.map(({ domain, code }) => [domain, code]),
    [
      ["a", "1"],
      ["b", "2"],
      ["d", "4"],
      ["e", "5"],
      ["f", "6"],
    ],
  );
});

large("the migration moves many rows of an import in their order", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(IMPORTER);
  await make(key, { key: "companies", columns, key_column: "domain" });
  const done = await imported(the, key, "domain,code\na,1\n");
  await asMigrated(
    the,
    `INSERT INTO store.import_row (project_id, import_id, row_id, number, version)
     SELECT project_id, import_id, 'row_' || lpad(n::text, 26, '0'), n + 1, 1
     FROM store.import_row, generate_series(1, 20000) AS n`,
  );
  const [order] = await the.sql<{ is_ordered: boolean; items: number }>(
    `SELECT bool_and(record_id > former OR former IS NULL) AS is_ordered, count(*)::integer AS items
     FROM (SELECT record_id, lag(record_id) OVER (ORDER BY id) AS former FROM store.change_item
       WHERE record_id LIKE 'row\\_000%') AS each`,
  );
  assert.deepEqual(order, { is_ordered: true, items: 20_000 });
  assert.deepEqual((await actedOn(key, done.id, "undo")).undo, { deleted: 1, restored: 0, left: 0 });
});
