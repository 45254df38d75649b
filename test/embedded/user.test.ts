import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findBinaries } from "../../src/db/embedded/host/binaries.ts";
import { reachableBinaries } from "../../src/db/embedded/host/unprivileged.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { large } from "../large.ts";
import { lacks, notRoot } from "../programs.ts";
import { ask, dataFolder, serverPid, service } from "./support/rig.ts";

const skip = notRoot || lacks("setpriv");
const nobody = { uid: 65534, gid: 65534 };

for (const { who, uid } of [
  { who: "an ordinary user", uid: 65534 },
  { who: "a user without a name", uid: 48_611 },
]) {
  large(`${who} runs the database as themselves`, { skip }, async (t) => {
    const dataDir = join(dataFolder(t), "own");
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, uid, uid);
    const wrap = ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"];
    const { outcome, end } = service(t, { dataDir }, { wrap });
    const { url, error } = await outcome;
    assert.equal(error, undefined);
    assert.deepEqual(await ask(url, "SELECT 1"), [[1]]);
    assert.equal(statSync(join(dataDir, "postgres", "PG_VERSION")).uid, uid);
    await end("SIGTERM");
    const asRoot = await startEmbedded({ dataDir });
    assert.equal(statSync(`/proc/${serverPid(dataDir)}`).uid, uid, "root leaves it to its owner");
    await asRoot.stop();
  });
}

test("root runs it as an unprivileged user where namespaces are forbidden, and hands an older cluster over", {
  skip,
}, async (t) => {
  const dataDir = dataFolder(t);
  const mapped = await startEmbedded({ dataDir });
  await ask(mapped.url, "CREATE TABLE kept AS SELECT 1 AS n");
  await mapped.stop();
  for (let start = 0; start < 2; start++) {
    const server = await startEmbedded({ dataDir, rootStrategy: "unprivileged" });
    t.after(() => server.stop());
    assert.notEqual(statSync(`/proc/${serverPid(dataDir)}`).uid, 0);
    assert.deepEqual(await ask(server.url, "SELECT n FROM kept"), [[1]]);
    await server.stop();
  }
});

test("a folder which the unprivileged user cannot enter is named with a way out", { skip }, async (t) => {
  const closed = join(dataFolder(t), "closed");
  mkdirSync(closed, { mode: 0o700 });
  const start = startEmbedded({ dataDir: join(closed, "data"), rootStrategy: "unprivileged" });
  await assert.rejects(start, (error) => {
    assert.match(String(error), new RegExp(`cannot enter ${closed}, which holds`));
    assert.match(String(error), /set DATA_DIR to a folder outside of it/);
    return true;
  });
});

test("binaries which the unprivileged user cannot reach are copied once", { skip }, async (t) => {
  const folder = dataFolder(t);
  const binaries = await findBinaries();
  const native = join(folder, "closed", "native");
  mkdirSync(join(folder, "closed"), { mode: 0o700 });
  for (const part of ["bin", "lib"])
    cpSync(join(binaries.native, part), join(native, part), { recursive: true, verbatimSymlinks: true });
  const hidden = { ...binaries, native, postgres: join(native, "bin", "postgres") };
  const home = join(folder, "home");
  const copy = await reachableBinaries(hidden, nobody, [home]);
  assert.equal(copy.postgres, join(home, `postgres-${binaries.version}`, "bin", "postgres"));
  const version = execFileSync(copy.postgres, ["--version"], { ...nobody, cwd: home, encoding: "utf8" });
  assert.match(version, /^postgres \(PostgreSQL\) \d/, "it finds its own libraries");
  const made = statSync(copy.postgres).ino;
  assert.equal(statSync((await reachableBinaries(hidden, nobody, [home])).postgres).ino, made);
  chmodSync(home, 0o777);
  await assert.rejects(reachableBinaries(hidden, nobody, [home]), /belongs to someone else/);
  assert.equal(await reachableBinaries(binaries, nobody, []), binaries, "no copy where none is needed");
});

test("a process of another user counts as alive, one that has ended does not", { skip }, () => {
  const file = new URL("../../src/db/embedded/host/processes.ts", import.meta.url).href;
  const isAlive = (pid: number) => {
    const script = `import { isAlive } from ${JSON.stringify(file)}; console.log(isAlive(${pid}));`;
    const args = ["--input-type=module", "--eval", script];
    return execFileSync(process.execPath, args, { ...nobody, encoding: "utf8" }).trim();
  };
  const ended = spawnSync("true").pid;
  assert.deepEqual([isAlive(process.pid), isAlive(ended)], ["true", "false"]);
});
