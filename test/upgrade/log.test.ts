import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { freshDatabase } from "../template.ts";
import { begun, until } from "./support/process.ts";

test("an upgrade leaves a line in the log for each migration, with its time, and one for all", async (t) => {
  const database = await freshDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(
    "DROP FUNCTION leadgate.closed; DELETE FROM leadgate.migration WHERE name = '0071_closed_doors.sql'",
  );
  await client.end();
  const upgraded = await begun(t, database.url);
  await until(200, upgraded);
  upgraded.child.kill("SIGTERM");
  assert.equal(await upgraded.ended, 0, upgraded.printed());
  const lines = upgraded
    .printed()
    .split("\n")
    .filter((line) => line.includes('"from":"migration"'))
    .map((line) => JSON.parse(line) as { level: number; msg: string; ms: number } & Record<string, unknown>);
  assert.deepEqual(
    lines.map(({ level, migration, migrations }) => [level, migration, migrations]),
    [
      [30, "0071_closed_doors.sql", undefined],
      [30, undefined, 1],
    ],
  );
  for (const { msg, ms } of lines) {
    assert.ok(ms >= 0 && ms < 60_000);
    assert.match(msg, new RegExp(`applied in ${ms / 1_000} s`));
  }
  assert.match(lines[1]?.msg ?? "", /^1 migration was applied in .* by Leadgate \d+\.\d+\.\d+$/);
  await database.drop();
});
