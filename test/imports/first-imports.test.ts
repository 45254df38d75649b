import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate } from "../../src/db/migrate.ts";
import { bodyOf } from "../api/support/v1.ts";
import { world } from "../world.ts";

const ID = "imp_00000000000000000000000001";

test("an import of the first version is shown with the command line as its actor, and its files are answered", async () => {
  await using the = await world({ alone: true });
  await the.sql("ALTER TABLE store.import ALTER actor SET DEFAULT '{}'");
  await the.sql(
    `INSERT INTO store.import (project_id, id, file_name, state, rows, created, started_at)
     VALUES ($1, '${ID}', 'x.csv', 'done', 7, 7, now())`,
    [the.project.id],
  );
  await the.sql("DELETE FROM leadgate.migration WHERE name = '0019_first_imports.sql'");
  assert.deepEqual(await migrate(the.databaseUrl), ["0019_first_imports.sql"]);
  const key = await the.key(["leads:read", "leads:write"]);
  const { actor } = await bodyOf<{ actor: object }>(await key.send("GET", `/api/v1/imports/${ID}`));
  assert.deepEqual(actor, { type: "cli", id: null, label: "command line" });
  const failed = await key.send("GET", `/api/v1/imports/${ID}/errors.csv`);
  assert.equal(await failed.text(), "_row,_column,_code,_message\r\n");
});
