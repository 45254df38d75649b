import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedError, startEmbedded } from "../../src/db/embedded/index.ts";
import { large } from "../large.ts";
import { ask, dataFolder, service, usedFolder } from "./support/rig.ts";

test("a second owner of the same folder is refused with the process id of the first", async (t) => {
  const dataDir = await usedFolder(t);
  const { child, outcome, end } = service(t, { dataDir });
  const { url } = await outcome;
  const alias = join(dataFolder(t), "alias");
  symlinkSync(dataDir, alias);
  for (const path of [dataDir, alias]) {
    await assert.rejects(startEmbedded({ dataDir: path }), (error) => {
      assert.ok(error instanceof EmbeddedError);
      assert.equal(
        error.message,
        `${dataDir} is in use by process ${child.pid}; stop it first, or set DATA_DIR to another folder`,
      );
      return true;
    });
  }
  assert.deepEqual(await ask(url, "SELECT 1"), [[1]], "the owner is not disturbed");
  await end("SIGTERM");
});

test("whoever is refused just as the owner has locked the folder is told the owner's process id, not that of a dead one", async (t) => {
  const dataDir = dataFolder(t);
  const name = join(dataDir, "owner.pid");
  for (const before of ["", "4194305\n"]) {
    writeFileSync(name, before);
    const lock = new DatabaseSync(join(dataDir, "owner.lock"));
    lock.exec("BEGIN EXCLUSIVE");
    const refused = assert.rejects(
      startEmbedded({ dataDir }),
      new RegExp(`in use by process ${process.pid};`),
    );
    await sleep(100);
    writeFileSync(name, `${process.pid}\n`);
    await refused;
    lock.close();
  }
});

test("while an owner starts, the command line waits, attaches and leaves its server running", async (t) => {
  const dataDir = dataFolder(t);
  const owner = service(t, { dataDir });
  while (!existsSync(join(dataDir, "owner.pid"))) await sleep(5);
  const beside = await startEmbedded({ dataDir, attach: true });
  const { url } = await owner.outcome;
  assert.deepEqual([beside.owner, beside.url], [false, url]);
  await beside.stop();
  assert.deepEqual(await ask(beside.url, "SELECT 1"), [[1]]);
  await owner.end("SIGTERM");
  const alone = await startEmbedded({ dataDir, attach: true });
  assert.equal(alone.owner, true, "without an owner it starts the server itself");
  await alone.stop();
  await assert.rejects(ask(alone.url, "SELECT 1"), "and stops it");
});

test("of many processes that start at once after a crash exactly one becomes the owner", async (t) => {
  const dataDir = await usedFolder(t);
  const dead = service(t, { dataDir });
  await dead.outcome;
  await dead.end("SIGKILL");
  const racers = Array.from({ length: 6 }, () => service(t, { dataDir }));
  const outcomes = await Promise.all(racers.map((racer) => racer.outcome));
  assert.equal(outcomes.filter(({ owner }) => owner).length, 1, JSON.stringify(outcomes));
  assert.equal(outcomes.filter(({ error }) => error?.includes("is in use by process")).length, 5);
  await Promise.all(racers.map((racer) => racer.end("SIGTERM")));
});

test("old pids that now belong to other processes do not block a start", async (t) => {
  const dataDir = await usedFolder(t);
  const first = await startEmbedded({ dataDir });
  await first.stop();
  writeFileSync(join(dataDir, "owner.pid"), `${process.ppid}\n`);
  const stale = `${process.pid}\n${join(dataDir, "postgres")}\n1\n5432\n\n127.0.0.1\n 1 1\nready   \n`;
  writeFileSync(join(dataDir, "postgres", "postmaster.pid"), stale);
  const lock = join(dataDir, "postgres", ".s.PGSQL.5432.lock");
  writeFileSync(lock, stale);
  const second = await startEmbedded({ dataDir });
  assert.ok(!existsSync(lock));
  await second.stop();
});

test("a folder that is not a cluster, or was made by another PostgreSQL, is named and left unchanged", async (t) => {
  const dataDir = dataFolder(t);
  mkdirSync(join(dataDir, "postgres"));
  writeFileSync(join(dataDir, "postgres.secret"), "x\n");
  await assert.rejects(startEmbedded({ dataDir }), /is not a PostgreSQL cluster/);
  writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "16\n");
  await assert.rejects(startEmbedded({ dataDir }), /created by PostgreSQL 16, but this is 18/);
});

large(
  "a database that cannot start is given up, with the place of its log and what it said last",
  {
    timeout: 75_000,
  },
  async (t) => {
    const dataDir = await usedFolder(t);
    writeFileSync(join(dataDir, "postgres", "postgresql.auto.conf"), "work_mem = 'much'\n");
    await assert.rejects(startEmbedded({ dataDir }), (error) => {
      assert.ok(error instanceof EmbeddedError);
      assert.ok(
        error.message.includes(`did not start; see ${join(dataDir, "postgres.log")}: `),
        error.message,
      );
      assert.match(error.message, /FATAL: .*postgresql\.auto\.conf/);
      return true;
    });
    writeFileSync(join(dataDir, "postgres", "postgresql.auto.conf"), "");
    await (await startEmbedded({ dataDir })).stop();
  },
);
