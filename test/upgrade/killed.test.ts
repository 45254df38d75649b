import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { dataFolder } from "../embedded/support/rig.ts";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { begun, until } from "./support/process.ts";
import { unpacked } from "./support/releases.ts";

const LOCK = 411_907;
const MIGRATION = `-- A mark.
-- expand
CREATE TABLE mark (n integer);
INSERT INTO mark VALUES (1);
SELECT pg_advisory_xact_lock(${LOCK});
`;

large(
  "a migrator that is killed in the middle of a migration leaves nothing of it; of those that start then, one applies it, and all serve",
  async (t) => {
    const folder = dataFolder(t);
    const database = await freshDatabase();
    const holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const isReached = async () => {
      const { rows } = await holder.query(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted",
        [LOCK],
      );
      return rows.length > 0;
    };
    const marks = async () =>
      (await holder.query("SELECT to_regclass('leadgate.mark') IS NOT NULL AS made")).rows[0]?.made === true;
    const next = await unpacked(folder, { version: "99.0.0", migrations: { "9001_mark.sql": MIGRATION } });

    const killed = await begun(t, database.url, next);
    while (!(await isReached())) {
      assert.equal(killed.child.exitCode, null, killed.printed());
      await sleep(20);
    }
    killed.child.kill("SIGKILL");
    await killed.ended;
    // PostgreSQL notices it when the statement gets no lock.
    while (await isReached()) await sleep(20);
    assert.equal(await marks(), false);

    const others = [await begun(t, database.url, next), await begun(t, database.url, next)];
    for (const other of others) await until(503, other);
    while (!(await isReached())) await sleep(20);
    await holder.query("SELECT pg_advisory_unlock($1)", [LOCK]);
    for (const other of others) await until(200, other);
    const { rows } = await holder.query<{ applied: number; marked: number }>(
      `SELECT (SELECT count(*)::integer FROM leadgate.migration WHERE name = '9001_mark.sql') AS applied,
       (SELECT count(*)::integer FROM leadgate.mark) AS marked`,
    );
    assert.deepEqual(rows, [{ applied: 1, marked: 1 }]);
    for (const other of others) {
      other.child.kill("SIGTERM");
      assert.equal(await other.ended, 0, other.printed());
    }
    await holder.end();
    await database.drop();
  },
);
