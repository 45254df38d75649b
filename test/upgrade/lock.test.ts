import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { apply } from "../../src/db/migration/apply.ts";
import { freshDatabase } from "../template.ts";

test("a migration that gets no lock lets writers pass, and is applied when the lock is free", async () => {
  const database = await freshDatabase();
  const [holder, writer, migrator] = [1, 2, 3].map(() => new pg.Client(database.url));
  assert.ok(holder && writer && migrator);
  try {
    for (const client of [holder, writer, migrator]) await client.connect();
    await holder.query("CREATE TABLE leadgate.probe (a int)");
    await holder.query("BEGIN; INSERT INTO leadgate.probe VALUES (1)");
    const { promise: waits, resolve } = Promise.withResolvers<string>();
    const applied = apply(migrator, "9999_probe.sql", "ALTER TABLE leadgate.probe ADD b int;", resolve);
    assert.match(await waits, /9999_probe\.sql waits for a lock/);
    // Succeeds although the holder's transaction is still open.
    await writer.query("INSERT INTO leadgate.probe VALUES (2)");
    await holder.query("COMMIT");
    await applied;
    assert.equal((await writer.query("SELECT a, b FROM leadgate.probe")).rows.length, 2);
    const name = "SELECT name FROM leadgate.migration WHERE name = '9999_probe.sql'";
    assert.equal((await writer.query(name)).rows.length, 1);
  } finally {
    await Promise.all([holder, writer, migrator].map((client) => client.end()));
    await database.drop();
  }
});
