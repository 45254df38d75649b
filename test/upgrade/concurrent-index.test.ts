import assert from "node:assert/strict";
import pg from "pg";
import { apply } from "../../src/db/migration/apply.ts";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";

const SQL = `-- What nobody waits for.
-- expand
-- without a transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS probe_a ON probe (a);
CREATE INDEX CONCURRENTLY IF NOT EXISTS probe_b ON probe (b);
`;
const MIGRATION = {
  name: "9999_probe.sql",
  sql: SQL,
  header: { kind: "expand", transaction: false },
} as const;

large(
  "a migration without a transaction lets writers pass, reports its progress, and builds again what a failed one left",
  async () => {
    const database = await freshDatabase();
    const [holder, writer, migrator] = [1, 2, 3].map(() => new pg.Client(database.url));
    assert.ok(holder && writer && migrator);
    const valid = async () =>
      (
        await writer.query<{ name: string; valid: boolean }>(
          "SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'leadgate.probe'::regclass ORDER BY 1",
        )
      ).rows.map(({ name, valid }) => `${name} ${valid}`);
    try {
      for (const client of [holder, writer, migrator]) await client.connect();
      await holder.query(
        "CREATE TABLE leadgate.probe (a int, b int); INSERT INTO leadgate.probe VALUES (1), (1)",
      );
      await assert.rejects(
        apply(migrator, MIGRATION, { watcher: writer }),
        /9999_probe\.sql failed; the next start continues it/,
      );
      assert.deepEqual(await valid(), ["probe_a false"]);
      await holder.query("UPDATE leadgate.probe SET a = 2 WHERE ctid = '(0,1)'");
      assert.equal(await apply(migrator, MIGRATION, { watcher: writer }), true);
      assert.deepEqual(await valid(), ["probe_a true", "probe_b true"]);
      await holder.query("BEGIN; INSERT INTO leadgate.probe VALUES (3)");
      const { promise: reported, resolve } = Promise.withResolvers<string>();
      const sql = "CREATE INDEX CONCURRENTLY IF NOT EXISTS probe_c ON probe (a, b);";
      const another = { ...MIGRATION, name: "9999_slow.sql", sql };
      const applied = apply(migrator, another, { report: resolve, watcher: writer });
      assert.match(await reported, /index .*: waiting for writers/);
      // Succeeds although the build waits for the holder.
      await writer.query("INSERT INTO leadgate.probe VALUES (4)");
      await holder.query("COMMIT");
      assert.equal(await applied, true);
      const recorded = await writer.query("SELECT FROM leadgate.migration WHERE name = $1", [MIGRATION.name]);
      assert.equal(recorded.rowCount, 1);
    } finally {
      await Promise.all([holder, writer, migrator].map((client) => client.end()));
      await database.drop();
    }
  },
);
