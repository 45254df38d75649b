import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { addLeads } from "../api/support/leads.ts";
import { bodyOf } from "../api/support/v1.ts";
import { writer } from "../api/support/writing.ts";
import { world } from "../world.ts";
import { ON_CLUSTER } from "./pool.ts";

test(
  "a transaction of another database that was prepared and has not ended holds no feed back, one of ours does",
  ON_CLUSTER,
  async () => {
    await using the = await world();
    const key = await writer(the);
    const [lead = ""] = await addLeads(the, [{}]);
    const gid = `test_${process.pid}_${Date.now()}`;
    const prepare = async (database?: string) => {
      const url = new URL(the.databaseUrl);
      if (database !== undefined) url.pathname = database;
      const client = new pg.Client(url.href);
      await client.connect();
      await client.query(`BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION '${gid}'`);
      return async () => {
        await client.query(`ROLLBACK PREPARED '${gid}'`);
        await client.end();
      };
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
    const endOther = await prepare("postgres");
    const { id: first } = await call();
    assert.deepEqual((await seen()).slice(-1), [first]);
    await endOther();
    const endOwn = await prepare();
    const { id: second } = await call();
    assert.deepEqual((await seen()).slice(-1), [first]);
    await endOwn();
    assert.deepEqual((await seen()).slice(-1), [second]);
  },
);
