import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { chown, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readPasswords } from "../../src/db/embedded/server/passwords.ts";
import { ask, dataFolder, service } from "../embedded/support/rig.ts";
import { world } from "../world.ts";
import { fill, noSmallDisk, onSmallDisk, seenBy } from "./support/small-disk.ts";

/** Starts a PostgreSQL with a database whose tables are on a small disk; its log is not. */
async function smallDatabase(t: TestContext): Promise<{ url: string; disk: string }> {
  const dataDir = dataFolder(t);
  const disk = mkdtempSync(join(tmpdir(), "leadgate-disk-"));
  t.after(() => rmSync(disk, { recursive: true }));
  const owner = service(t, { dataDir }, { wrap: onSmallDisk(disk, 64) });
  const { url = "", error } = await owner.outcome;
  assert.equal(error, undefined);
  const seen = seenBy(owner.child.pid ?? 0, disk);
  await mkdir(`${seen}/tables`);
  const { uid, gid } = statSync(join(dataDir, "postgres"));
  await chown(`${seen}/tables`, uid, gid);
  const admin = new URL(url);
  admin.username = "postgres";
  admin.password = (await readPasswords(dataDir, { create: false })).postgres;
  await ask(admin.href, `CREATE TABLESPACE small LOCATION '${disk}/tables'`);
  await ask(admin.href, "CREATE DATABASE small OWNER leadgate TABLESPACE small");
  t.after(() => owner.end("SIGTERM"));
  const small = new URL(url);
  small.pathname = "/small";
  return { url: small.href, disk: seen };
}

test("a full disk makes the service not ready; reads are served, writes are told so, nothing acknowledged is lost, and it is ready again by itself", {
  skip: noSmallDisk,
}, async (t) => {
  const database = await smallDatabase(t);
  await using the = await world({ env: { DATABASE_URL: database.url } });
  const key = await the.key(["leads:read", "leads:write"]);
  const hosts = [the.authUrl, the.baseUrl];
  const until = async (status: number) => {
    for (const host of hosts) while ((await fetch(`${host}/readyz`)).status !== status) await sleep(50);
  };
  const acknowledged: string[] = [];
  const write = async () => {
    const name = "n".repeat(150);
    const answer = await key.send("POST", "/api/v1/leads", { name, custom: {} });
    const said = (await answer.json()) as { id?: string; error?: { code: string } };
    if (answer.status === 201) acknowledged.push(said.id ?? "");
    else
      assert.deepEqual(
        [answer.status, said.error?.code, answer.headers.get("retry-after")],
        [503, "storage_full", "10"],
      );
    return answer.status;
  };
  for (let n = 0; n < 20; n += 1) assert.equal(await write(), 201);
  await until(200);

  const free = fill(database.disk);
  // Nothing is written meanwhile: the service notices without a write that fails.
  await until(503);
  const said = (await (await fetch(`${the.baseUrl}/readyz?verbose`)).json()) as {
    reason: string;
    checks: { database: object; writes: object };
  };
  assert.equal(said.reason, "the database's disk is full");
  assert.deepEqual(said.checks.database, { status: "ok" });
  assert.deepEqual(said.checks.writes, { status: "unavailable", reason: "storage_full" });
  // Existing pages still take some leads.
  for (let refused = 0; refused < 10; ) if ((await write()) === 503) refused += 1;
  await until(503);
  for (const id of acknowledged.slice(-30))
    assert.equal((await key.send("GET", `/api/v1/leads/${id}`)).status, 200);
  assert.equal((await key.query({})).status, 200);
  assert.equal((await the.browser().get("/sign-in")).status, 200);

  free();
  await until(200);
  for (let n = 0; n < 20; n += 1) assert.equal(await write(), 201);
  const stored = await the.sql<{ id: string }>("SELECT id FROM store.lead");
  assert.deepEqual(stored.map(({ id }) => id).sort(), [...acknowledged].sort());
});
