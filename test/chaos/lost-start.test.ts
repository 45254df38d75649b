import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Relay } from "../../bench/stability/chaos/relay.ts";
import { migrate } from "../../src/db/migrate.ts";
import { freshDatabase } from "../template.ts";

test("a start whose connection dies silently ends with an error instead of waiting for ever", async () => {
  const database = await freshDatabase();
  const relay = await Relay.to(database.url);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    // So that the start waits, as it does while another instance migrates.
    await holder.query("SELECT pg_advisory_lock(7237001)");
    const starting = assert.rejects(migrate(relay.url), /timeout/);
    while ((await holder.query(WAITING)).rowCount === 0) await sleep(20);
    relay.lose();
    await holder.query("SELECT pg_advisory_unlock(7237001)");
    await starting;
    assert.deepEqual(await migrate(relay.url), [], "the next start works");
  } finally {
    await relay.close();
    await holder.end();
    await database.drop();
  }
});

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND query LIKE '%advisory_lock%'`;
