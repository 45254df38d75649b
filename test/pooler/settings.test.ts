import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { serviceDoor } from "../../src/db/pool/project-door.ts";
import { pooledWorld, withoutPgBouncer as skip } from "./support/pgbouncer.ts";

const NAMES = [
  "TimeZone",
  "search_path",
  "statement_timeout",
  "idle_in_transaction_session_timeout",
  "jit",
  "max_parallel_workers_per_gather",
];
const ASK = `SELECT ${NAMES.map((name) => `current_setting('${name}') AS "${name}"`).join(", ")}`;
const HELD = {
  TimeZone: "UTC",
  search_path: "leadgate,public",
  statement_timeout: "5s",
  idle_in_transaction_session_timeout: "1min",
  jit: "off",
  max_parallel_workers_per_gather: "0",
};

test("every statement has its settings, whatever another client left behind on the connection", {
  skip,
}, async () => {
  await using pooled = await pooledWorld({ default_pool_size: 1 }, { env: { TIME_LIMITS: "{}" } });
  const { the, bouncer } = pooled;
  const stranger = new pg.Client(bouncer.url);
  await stranger.connect();
  await stranger.query("SET search_path = pg_catalog; SET jit = on; SET statement_timeout = 7");
  await stranger.query("SET TimeZone = 'Asia/Tokyo'");
  const { db } = the.service;
  try {
    assert.deepEqual(await db.query(ASK), [HELD]);
    assert.deepEqual(await db.together([{ text: ASK, values: [] }]), [HELD]);
    assert.deepEqual(await db.transaction((tx) => tx.query(ASK)), [HELD]);
    const own = db.behind(serviceDoor(the.project.id));
    const project = "current_setting('leadgate.project')";
    assert.deepEqual(await own.query(ASK), [HELD]);
    assert.deepEqual(await own.query(ASK, [], { short: "read" }), [HELD]);
    const [inside] = await own.transaction((tx) =>
      tx.query<{ id: string }>(`SELECT ${project} AS id, * FROM (${ASK}) x`),
    );
    assert.deepEqual(inside, { id: the.project.id, ...HELD });
    assert.deepEqual(
      await db.query("SELECT current_setting('leadgate.project', true) AS id"),
      [{ id: "" }],
      "the project is closed again with its transaction",
    );
  } finally {
    await stranger.end();
  }
});
