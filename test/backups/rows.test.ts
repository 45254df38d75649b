import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { writeChecked } from "../../src/db/backup/files/checked-file.ts";
import { leadgate } from "../cli/support/leadgate.ts";
import { ask } from "../embedded/support/rig.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";

/** An empty database on the server of the tests. */
async function emptyDatabase(t: TestContext): Promise<string> {
  const server = process.env.LEADGATE_TEST_SERVER ?? "";
  const name = `restored_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await ask(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  t.after(() => ask(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => undefined));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "leadgate-rows-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function done<T>(the: Pick<World, "env">, words: string[]): Promise<T> {
  const { code, out, err } = await leadgate(the as World, [...words, "--json"]);
  assert.equal(code, 0, out + err);
  return JSON.parse(out) as T;
}

/** A project with leads, events, fields, a dataset and a person in a session. */
async function busyWorld(): Promise<World> {
  const the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write", "datasets:read", "datasets:write"]);
  for (let n = 0; n < 20; n += 1) {
    const lead = { name: `Lead ${n}`, email: `lead${n}@example.org`, custom: {}, tags: [`t${n % 3}`] };
    assert.equal((await key.send("POST", "/api/v1/leads", lead)).status, 201);
  }
  await the.signedIn();
  return the;
}

test("a backup of rows restores into an empty database of any PostgreSQL, which then serves the same leads under the same key", async (t) => {
  await using the = await busyWorld();
  const key = await the.key(["leads:read", "leads:write"]);
  const before = await (await key.query({ project_id: the.project.id, limit: 100 })).text();
  const kept = folder(t);
  const taken = await done<{ kind: string; tables: number }>(the, ["backup", "--to", kept]);
  assert.equal(taken.kind, "rows");
  const verified = await done<{ result: string; rows: number }>(the, ["backup", "verify", "--from", kept]);
  assert.equal(verified.result, "restored, every table as it was");
  assert.ok(verified.rows > 100, String(verified.rows));

  const url = await emptyDatabase(t);
  const env = { ...the.env, DATABASE_URL: url };
  const { ended } = await done<{ ended: { sessions: number } }>({ env }, ["restore", "--from", kept]);
  assert.equal(ended.sessions, 1);
  const again = await instance({ ...the, env }, "all");
  t.after(() => again.end("SIGTERM"));
  const answer = await fetch(`${again.baseUrl}/api/leads/query`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" },
    body: JSON.stringify({ project_id: the.project.id, limit: 100 }),
  });
  assert.equal(await answer.text(), before);
  const create = await fetch(`${again.baseUrl}/api/v1/leads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "after the restore" }),
  });
  assert.equal(create.status, 201);
});

test("a restored database has the indexes, keys and triggers of a new one", async (t) => {
  await using the = await busyWorld();
  const kept = folder(t);
  await done(the, ["backup", "--to", kept]);
  const url = await emptyDatabase(t);
  await done({ env: { ...the.env, DATABASE_URL: url } }, ["restore", "--from", kept]);
  const parts = [
    "SELECT schemaname || ' ' || indexdef FROM pg_indexes WHERE schemaname IN ('leadgate', 'store') ORDER BY 1",
    "SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace IN ('leadgate'::regnamespace, 'store'::regnamespace) ORDER BY 1",
    "SELECT tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1",
  ];
  for (const part of parts) assert.deepEqual(await ask(url, part), await ask(the.databaseUrl, part));
  // The audit log goes on behind its last entry.
  const [[highest] = []] = await ask(the.databaseUrl, "SELECT max(id)::int FROM leadgate.audit");
  assert.deepEqual(await ask(url, "SELECT max(id)::int FROM leadgate.audit"), [[Number(highest) + 1]]);
});

large(
  "a restore of rows refuses a database with people, one of a newer release, a time, and files of an embedded database",
  async (t) => {
    await using the = await busyWorld();
    const kept = folder(t);
    await done(the, ["backup", "--to", kept]);
    const used = await leadgate(the, ["restore", "--from", kept]);
    assert.equal(used.code, 1);
    assert.match(used.err, /The database is in use: it has people/);
    const url = await emptyDatabase(t);
    const fresh = { env: { ...the.env, DATABASE_URL: url } } as unknown as World;
    const timed = await leadgate(fresh, ["restore", "--from", kept, "--to", new Date().toISOString()]);
    assert.match(timed.err, /--to needs a backup of the files/);
    assert.deepEqual(await ask(url, "SELECT to_regclass('leadgate.person') IS NULL"), [[true]]);
    const [name = ""] = readdirSync(kept);
    const path = join(kept, name, "backup.json");
    const { sha256: _, ...told } = JSON.parse(readFileSync(path, "utf8")) as {
      sha256: string;
      migrations: string[];
    };
    told.migrations.push("9999_of_the_future.sql");
    await writeChecked(path, told);
    const newer = await leadgate(fresh, ["restore", "--from", kept]);
    assert.match(newer.err, /those of a newer release: this one does not know 9999_of_the_future\.sql/);
  },
);

large(
  "a restore of rows that is killed leaves no half, and what it did not end ends with the next start",
  async (t) => {
    await using the = await busyWorld();
    const kept = folder(t);
    await done(the, ["backup", "--to", kept]);
    const url = await emptyDatabase(t);
    const env = { ...the.env, DATABASE_URL: url };
    const leads = async () => {
      const [[isThere] = []] = await ask(url, "SELECT to_regclass('store.lead') IS NOT NULL");
      return isThere === true ? (await ask(url, "SELECT count(*)::int FROM store.lead"))[0]?.[0] : 0;
    };
    // Killed as soon as the rows are there, or else before.
    const child = spawn(process.execPath, ["src/main.ts", "restore", "--from", kept], {
      env: { PATH: process.env.PATH, ...env },
      stdio: "ignore",
    });
    const gone = once(child, "close");
    let isGone = false;
    void gone.then(() => {
      isGone = true;
    });
    while (!isGone && (await leads()) !== 20) await sleep(5);
    child.kill("SIGKILL");
    await gone;
    assert.equal(await leads(), 20);
    const again = await instance({ ...the, env }, "all");
    t.after(() => again.end("SIGTERM"));
    assert.deepEqual(await ask(url, "SELECT count(*)::int FROM leadgate.session"), [[0]]);
    assert.deepEqual(
      await ask(url, "SELECT count(*)::int FROM leadgate.service_state WHERE key = 'restoring'"),
      [[0]],
    );
  },
);

test("a restore of rows that is killed before the rows are there can be run again", async (t) => {
  await using the = await busyWorld();
  const kept = folder(t);
  await done(the, ["backup", "--to", kept]);
  const url = await emptyDatabase(t);
  const env = { ...the.env, DATABASE_URL: url };
  const child = spawn(process.execPath, ["src/main.ts", "restore", "--from", kept], {
    env: { PATH: process.env.PATH, ...env },
    stdio: "ignore",
  });
  const gone = once(child, "close");
  const isMigrated = async () =>
    (await ask(url, "SELECT to_regclass('leadgate.migration') IS NOT NULL"))[0]?.[0] === true;
  while (child.exitCode === null && !(await isMigrated())) await sleep(5);
  child.kill("SIGKILL");
  await gone;
  await done({ env }, ["restore", "--from", kept]);
  assert.deepEqual(await ask(url, "SELECT count(*)::int FROM store.lead"), [[20]]);
});
