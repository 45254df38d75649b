import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { distribute } from "../../src/db/distribute/distribute.ts";
import { migrate } from "../../src/db/migrate.ts";
import { leadgate } from "../cli/support/leadgate.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { ON_CLUSTER, poolOfRun, undistributed } from "./pool.ts";

async function emptyDatabase(t: TestContext): Promise<string> {
  const pool = poolOfRun();
  if (pool === undefined) throw new Error("there is no cluster");
  const { url, drop } = await undistributed(pool.coordinator);
  t.after(drop);
  return url;
}

const run = async (env: World["env"], ...words: string[]) => await leadgate({ env } as World, words);

const leadsOf = async (key: KeyActor): Promise<string> =>
  await (await key.send("POST", "/api/v1/leads/search", { limit: 100 })).text();

test(
  "a backup is restored into a cluster that is not distributed yet; rows of several nodes are not backed up, because they have no moment in common",
  ON_CLUSTER,
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "leadgate-cluster-backup-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const [former, url] = [await emptyDatabase(t), await emptyDatabase(t)];
    await migrate(former);
    let before: { key: KeyActor; env: World["env"]; leads: string };
    {
      await using the = await world({ env: { DATABASE_URL: former } });
      const key = await the.key(["leads:read", "leads:write"]);
      assert.equal((await key.send("POST", "/api/v1/leads", { name: "Lia" })).status, 201);
      before = { key, env: the.env, leads: await leadsOf(key) };
      assert.match(before.leads, /Lia/);
      const taken = await run(the.env, "backup", "--to", folder);
      assert.equal(taken.code, 0, taken.err);
    }
    const env = { ...before.env, DATABASE_URL: url };
    const restored = await run(env, "restore", "--from", folder);
    assert.equal(restored.code, 0, restored.err);
    await distribute(url, { report: () => undefined, shards: 2 });
    await using the = await world({ env });
    assert.equal(the.service.db.isDistributed, true);
    assert.equal(await leadsOf(before.key), before.leads);

    const kept = readdirSync(folder);
    const refused = await run(env, "backup", "--to", folder);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /several nodes of a cluster.* Back up the nodes themselves/);
    assert.deepEqual(readdirSync(folder), kept);
    assert.match((await run(env, "restore", "--from", folder)).err, /distributed over a cluster already/);
  },
);
