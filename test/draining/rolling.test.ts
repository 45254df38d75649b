import assert from "node:assert/strict";
import pg from "pg";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { freePort } from "../world.ts";
import { noHaproxy } from "./support/haproxy.ts";
import { rollingRestart } from "./support/rolling-restart.ts";

large(
  "instances behind HAProxy are restarted one after another without losing a request",
  {
    skip: noHaproxy,
  },
  async () => {
    const database = await freshDatabase();
    const pool = new pg.Pool({
      connectionString: database.url,
      max: 2,
      options: "-c search_path=leadgate,store,public",
    });
    const sql = async <R>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, [...values])).rows as R[];
    try {
      const { calls, stops, unaccounted } = await rollingRestart({ url: database.url, sql }, 2, freePort);
      assert.deepEqual(
        calls.filter(({ fault }) => fault !== undefined),
        [],
      );
      assert.ok(calls.length > 0);
      assert.equal(unaccounted, 0);
      assert.deepEqual(
        stops.map(({ code }) => code),
        [0, 0],
      );
    } finally {
      await pool.end();
      await database.drop();
    }
  },
);
