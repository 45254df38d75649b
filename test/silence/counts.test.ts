import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ended, uploaded } from "../imports/support/uploading.ts";
import { world } from "../world.ts";

/** A quarter of the connections that PostgreSQL offers by default: 100, of which three are for superusers. */
const QUARTER = 24;

test("an instance with calls, exports and imports at once uses at most a quarter of PostgreSQL's usual connections", async (t) => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const inspector = new pg.Client(the.databaseUrl);
  await inspector.connect();
  let [most, stopped] = [0, false];
  const count = async () => {
    for (; !stopped; await sleep(5)) {
      const { rowCount } = await inspector.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'leadgate-%'",
      );
      most = Math.max(most, rowCount ?? 0);
    }
  };
  const counting = count();
  const files = await Promise.all(
    ["a", "b"].map((name) => {
      const rows = Array.from({ length: 2_000 }, (_, n) => `${name}${n}@example.org,Row ${n}`);
      return uploaded(the, key, `email,name\n${rows.join("\n")}\n`);
    }),
  );
  for (const { id } of files)
    assert.equal((await key.send("POST", `/api/v1/imports/${id}/commit`)).status, 202);
  const calls = async () => {
    while (!stopped) await (await key.query({ limit: 5 })).text();
  };
  const exporting = async () => {
    const body = { project_id: the.project.id, format: "csv" };
    while (!stopped) await (await key.send("POST", "/api/leads/export/", body)).text();
  };
  const busy = [...Array.from({ length: 20 }, calls), exporting(), exporting()];
  for (const { id } of files) assert.equal((await ended(key, id)).state, "done");
  stopped = true;
  await Promise.all([counting, ...busy]);
  await inspector.end();
  t.diagnostic(`${most} connections at most`);
  assert.ok(most > 8 && most <= QUARTER, `${most}`);
});
