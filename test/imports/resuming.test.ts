import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { lockAllIdentities } from "../../src/domain/leads/identity/identity-locks.ts";
import { keepWorking } from "../../src/domain/upkeep/keep-working.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { bodyOf } from "../api/support/v1.ts";
import { large } from "../large.ts";
import { startService } from "../processes/service-process.ts";
import { slowWrites } from "../slow-writes.ts";
import { world } from "../world.ts";
import { BANK_MAPPING, SOME_CONTACTS } from "./support/bank-file.ts";
import { acted, ended, type ImportBody, sums, uploaded } from "./support/uploading.ts";

large(
  "an import whose worker is killed repeatedly is taken over, and ends with every row once",
  async (t) => {
    await using the = await world({ env: { ROLE: "api" } });
    const key = await the.key(["leads:read", "leads:write", "schema:write"]);
    const made = await uploaded(the, key, SOME_CONTACTS.text);
    await bodyOf(await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, BANK_MAPPING));
    await bodyOf(await key.send("POST", `/api/v1/imports/${made.id}/commit`), 202);
    const read = () =>
      key.send("GET", `/api/v1/imports/${made.id}`).then((answer) => bodyOf<ImportBody>(answer));
    for (let kill = 0; kill < 2; kill += 1) {
      const before = (await read()).rows;
      const worker = await startService(the.databaseUrl, { SECRET_KEY: the.env.SECRET_KEY ?? "" });
      const enough = before + 1 + Math.random() * 5_000;
      for (let at = await read(); at.rows < enough && at.state !== "done"; at = await read()) await sleep(20);
      await sleep(Math.random() * 300);
      await worker.kill();
      // In one snapshot: the killed worker's last batch may be committed only now.
      const [at] = await the.sql<{ rows: number; state: string; stored: number }>(
        "SELECT rows, state, (SELECT count(*)::integer FROM store.lead) AS stored FROM store.import",
      );
      assert.equal(at?.stored, at?.rows, "every counted lead is stored, and no other");
      t.diagnostic(`killed at ${at?.rows} rows, ${at?.state}`);
    }
    const stop = keepWorking(the.service);
    try {
      assert.deepEqual(sums(await ended(key, made.id)), [SOME_CONTACTS.rows, SOME_CONTACTS.rows, 0, 0, 0, 0]);
    } finally {
      await stop();
    }
    const [events] = await the.sql<{ calls: number; made: number }>(
      `SELECT count(*) FILTER (WHERE type = 'call.made')::integer AS calls,
       count(*) FILTER (WHERE type = 'lead.created')::integer AS made FROM store.event`,
    );
    assert.deepEqual({ ...events }, { calls: SOME_CONTACTS.calls, made: SOME_CONTACTS.rows });
  },
);

large(
  "a cancelled import keeps what it counted, resumes where it stopped, and returns the rest as a file",
  async () => {
    await using the = await world({ alone: true });
    const key = await the.key(["leads:read", "leads:write", "schema:write"]);
    const rows = Array.from({ length: 30_000 }, (_, i) => `e${i},Person ${i}`);
    const made = await uploaded(the, key, `external_id,name\n${rows.join("\n")}\n`);
    const usual = await slowWrites(the, "lead");
    await bodyOf(await key.send("POST", `/api/v1/imports/${made.id}/commit`), 202);
    const read = () =>
      key.send("GET", `/api/v1/imports/${made.id}`).then((answer) => bodyOf<ImportBody>(answer));
    while ((await read()).rows === 0) await sleep(5);
    const cancelled = await bodyOf<ImportBody>(await key.send("POST", `/api/v1/imports/${made.id}/cancel`));
    assert.equal(cancelled.state, "cancelled");
    await usual();
    assert.ok(cancelled.rows > 0 && cancelled.rows < 30_000);
    await sleep(500);
    assert.deepEqual(sums(await read()), sums(cancelled));
    const [stored] = await the.sql<{ n: number }>("SELECT count(*)::integer AS n FROM store.lead");
    assert.equal(stored?.n, cancelled.rows);
    const lines = async (name: string) =>
      (await (await key.send("GET", `/api/v1/imports/${made.id}/${name}.csv`)).text())
        .trimEnd()
        .split("\r\n")
        .slice(1);
    assert.deepEqual(await lines("unprocessed"), rows.slice(cancelled.rows));
    assert.deepEqual(await lines("successful"), rows.slice(0, cancelled.rows));
    const done = await acted(key, made.id, "commit");
    assert.deepEqual([done.state, ...sums(done)], ["done", 30_000, 30_000, 0, 0, 0, 0]);
  },
);

test("an import that is cancelled during a batch and resumed immediately is completed by one worker", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const rows = Array.from({ length: 3_000 }, (_, i) => `e${i},Person ${i}`);
  const made = await uploaded(the, key, `external_id,name\n${rows.join("\n")}\n`);
  // Locking the project's identities makes a batch wait in its middle.
  const [held, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = the.service.db.transaction(async (tx) => {
    await lockAllIdentities(tx, the.project.id);
    held.resolve();
    await letGo.promise;
  });
  await held.promise;
  const waiting = async (count: number) => {
    const locks = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = $1";
    const [self] = await the.sql<{ oid: number }>(
      "SELECT oid FROM pg_database WHERE datname = current_database()",
    );
    while ((await the.sql(locks, [self?.oid])).length < count) await sleep(20);
  };
  await bodyOf(await key.send("POST", `/api/v1/imports/${made.id}/commit`), 202);
  await waiting(1);
  await bodyOf(await key.send("POST", `/api/v1/imports/${made.id}/cancel`));
  await bodyOf(await key.send("POST", `/api/v1/imports/${made.id}/commit`), 202);
  await waiting(2);
  letGo.resolve();
  await other;
  const done = await ended(key, made.id);
  assert.deepEqual([done.state, ...sums(done)], ["done", 3_000, 3_000, 0, 0, 0, 0]);
  const states = async () =>
    (await the.sql<{ state: string }>("SELECT state FROM store.job ORDER BY id")).map(({ state }) => state);
  // The job ends shortly after its import.
  while ((await states()).includes("running")) await sleep(20);
  assert.deepEqual(await states(), ["cancelled", "done"]);
});

test("an import of a killed command line ends as failed with its report", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  await the.sql(
    `INSERT INTO store.import (project_id, id, file_name, state, rows, created, started_at, actor)
     VALUES ($1, 'imp_00000000000000000000000001', 'x.csv', 'running', 7, 7, now(), $2)`,
    [the.project.id, { type: "cli", id: null, label: "command line" }],
  );
  await sweep(the.service);
  const left = await bodyOf<ImportBody>(
    await key.send("GET", "/api/v1/imports/imp_00000000000000000000000001"),
  );
  assert.deepEqual([left.state, left.error?.code, left.rows], ["failed", "cut_off", 7]);
});
