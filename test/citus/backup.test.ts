import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { distribute } from "../../src/db/distribute/distribute.ts";
import { migrate } from "../../src/db/migrate.ts";
import { leadgate } from "../cli/support/leadgate.ts";
import { large } from "../large.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { ON_CLUSTER, poolOfRun, undistributed } from "./pool.ts";

async function emptyDatabase(t: TestContext): Promise<string> {
  const pool = poolOfRun();
  if (pool === undefined) throw new Error("there is no cluster");
  const { url, drop } = await undistributed(pool.coordinator);
  t.after(drop);
  return url;
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-cluster-backup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const run = async (env: World["env"], ...words: string[]) => await leadgate({ env } as World, words);

async function done(env: World["env"], ...words: string[]): Promise<string> {
  const { code, out, err } = await run(env, ...words);
  assert.equal(code, 0, err);
  return out;
}

const leadsOf = async (key: KeyActor): Promise<string> =>
  await (await key.send("POST", "/api/v1/leads/search", { limit: 100 })).text();

large(
  "a backup of rows leads from one PostgreSQL to a cluster, and back: a cluster's is made while no instance runs",
  ON_CLUSTER,
  async (t) => {
    const [former, cluster, back] = [await emptyDatabase(t), await emptyDatabase(t), await emptyDatabase(t)];
    const [first, second] = [emptyFolder(t), emptyFolder(t)];
    await migrate(former);
    let before: { key: KeyActor; env: World["env"]; leads: string };
    {
      await using the = await world({ env: { DATABASE_URL: former } });
      const key = await the.key(["leads:read", "leads:write"]);
      for (const name of ["Lia", "Rui"])
        assert.equal((await key.send("POST", "/api/v1/leads", { name })).status, 201);
      before = { key, env: the.env, leads: await leadsOf(key) };
      assert.match(before.leads, /Lia/);
      await done(the.env, "backup", "--to", first);
    }
    const onCluster = { ...before.env, DATABASE_URL: cluster };
    await done(onCluster, "restore", "--from", first);
    await distribute(cluster, { report: () => undefined, shards: 2 });
    {
      await using the = await world({ env: onCluster });
      assert.equal(the.service.db.isDistributed, true);
      assert.equal(await leadsOf(before.key), before.leads);
      const refused = await run(onCluster, "backup", "--to", second);
      assert.equal(refused.code, 1);
      assert.match(refused.err, /several nodes of a cluster.* or stop all instances/);
      assert.deepEqual(readdirSync(second), ["owner.json"]);
      assert.match(
        (await run(onCluster, "restore", "--from", first)).err,
        /distributed over a cluster already/,
      );
    }
    await done(onCluster, "backup", "--to", second);
    assert.match(await done(onCluster, "backup", "verify", "--from", second), /every table as it was/);
    const env = { ...before.env, DATABASE_URL: back };
    await done(env, "restore", "--from", second);
    await using the = await world({ env });
    assert.equal(the.service.db.isDistributed, false);
    assert.equal(await leadsOf(before.key), before.leads);
  },
);
