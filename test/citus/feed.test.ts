import assert from "node:assert/strict";
import pg from "pg";
import { addLeads } from "../api/support/leads.ts";
import { bodyOf } from "../api/support/v1.ts";
import { writer } from "../api/support/writing.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { ON_CLUSTER } from "./pool.ts";

large(
  "a transaction of another database that was prepared and has not ended holds no feed back, one of ours does",
  ON_CLUSTER,
  async () => {
    await using the = await world();
    const key = await writer(the);
    const [lead = ""] = await addLeads(the, [{}]);
    const whilePrepared = async (database: string | undefined, look: () => Promise<void>) => {
      const url = new URL(the.databaseUrl);
      if (database !== undefined) url.pathname = database;
      const client = new pg.Client(url.href);
      await client.connect();
      const gid = `test_${process.pid}_${Date.now()}`;
      await client.query(`BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION '${gid}'`);
      try {
        await look();
      } finally {
        await client.query(`ROLLBACK PREPARED '${gid}'`);
        await client.end();
      }
    };
    const call = async () =>
      await bodyOf<{ id: string }>(
        await key.send("POST", `/api/v1/leads/${lead}/events`, { type: "call.made" }),
        201,
      );
    const seen = async () => {
      const page = await bodyOf<{ events: { id: string }[] }>(await key.send("GET", "/api/v1/events"));
      return page.events.map(({ id }) => id);
    };
    const ids: string[] = [];
    await whilePrepared("postgres", async () => {
      ids.push((await call()).id);
      assert.deepEqual((await seen()).slice(-1), ids);
    });
    await whilePrepared(undefined, async () => {
      ids.push((await call()).id);
      assert.deepEqual((await seen()).slice(-1), ids.slice(0, 1));
    });
    assert.deepEqual((await seen()).slice(-2), ids);
  },
);
