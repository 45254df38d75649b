import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { migrate } from "../../src/db/migrate.ts";
import { WORKER_SCHEMA } from "../../src/db/worker-schema.ts";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { Relay } from "./relay.ts";

large("a start whose connection dies silently ends with an error instead of waiting for ever", async () => {
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

large(
  "a start that loses the connection that holds its lock ends with an error, too, and the next one works",
  async () => {
    const database = await freshDatabase();
    const relay = await Relay.to(database.url);
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    try {
      // So that the queue's migrations wait, while the connection with the lock has nothing to send.
      await holder.query(`BEGIN; LOCK TABLE ${WORKER_SCHEMA}.migrations`);
      const starting = assert.rejects(migrate(relay.url), /timeout/);
      while ((await holder.query(LOCKED)).rowCount === 0) {
        await sleep(20);
        // A transaction sees the sessions as they were when it first looked.
        await holder.query("SELECT pg_stat_clear_snapshot()");
      }
      relay.lose();
      await holder.query("COMMIT");
      await starting;
      // PostgreSQL still has the sessions of the lost connections.
      assert.deepEqual(await migrate(database.url), []);
    } finally {
      await relay.close();
      await holder.end();
      await database.drop();
    }
  },
);

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND query LIKE '%advisory_lock%'`;

const LOCKED = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
