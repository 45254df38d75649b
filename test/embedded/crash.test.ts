import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, serverProcesses, until } from "../../src/db/embedded/host/processes.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { clusterOf } from "../../src/db/embedded/server/cluster.ts";
import { large } from "../large.ts";
import { ask, askPatiently, kill, serverPid, service, usedFolder } from "./support/rig.ts";

large("after kill -9 of the service the next start adopts its database and its stop stops it", async (t) => {
  const dataDir = await usedFolder(t);
  const first = service(t, { dataDir });
  const { url } = await first.outcome;
  const pid = serverPid(dataDir);
  await first.end("SIGKILL");
  assert.deepEqual(await ask(url, "SELECT 1"), [[1]], "the server outlives its owner");
  const second = await startEmbedded({ dataDir });
  assert.deepEqual([second.owner, second.url, serverPid(dataDir)], [true, url, pid]);
  kill(pid, "SIGKILL");
  await until(() => !isAlive(pid), 2000);
  assert.deepEqual(await askPatiently(url, "SELECT 1"), [[1]], "an adopted server is looked after, too");
  await second.stop();
  assert.deepEqual(serverProcesses(clusterOf(dataDir)), []);
});

test("after kill -9 of the database it is up again and kept what was acknowledged", async (t) => {
  const dataDir = await usedFolder(t);
  const lines: string[] = [];
  const server = await startEmbedded({ dataDir, log: (line) => lines.push(line) });
  t.after(() => server.stop());
  await ask(server.url, "CREATE TABLE written (n int PRIMARY KEY)");
  let acknowledged = 0;
  for (let round = 0; round < 3; round++) {
    // A busy backend does not notice immediately that its server is gone.
    ask(server.url, "SELECT count(*) FROM generate_series(1, 20000000)").catch(() => {});
    for (let n = 0; n < 30; n++) {
      await ask(server.url, `INSERT INTO written VALUES (${acknowledged + 1})`);
      acknowledged++;
    }
    const pid = serverPid(dataDir);
    const began = performance.now();
    kill(pid, "SIGKILL");
    await until(() => !isAlive(pid), 2000);
    const counted = await askPatiently(server.url, "SELECT count(*)::int FROM written");
    t.diagnostic(`up again after ${Math.round(performance.now() - began)} ms`);
    assert.deepEqual(counted, [[acknowledged]]);
  }
  assert.equal(lines.filter((line) => /died; starting it again/.test(line)).length, 3);
});

large("after kill -9 of service and database together the next start works without repair", async (t) => {
  const dataDir = await usedFolder(t);
  const first = service(t, { dataDir });
  const { url } = await first.outcome;
  await ask(url, "CREATE TABLE kept AS SELECT 7 AS n");
  ask(url, "SELECT count(*) FROM generate_series(1, 20000000)").catch(() => {});
  await sleep(50);
  kill(serverPid(dataDir), "SIGKILL");
  await first.end("SIGKILL");
  const second = await startEmbedded({ dataDir });
  assert.deepEqual(await ask(second.url, "SELECT n FROM kept"), [[7]]);
  await second.stop();
});

large("a signal to the service's group does not reach the database before the drain", async (t) => {
  const dataDir = await usedFolder(t);
  const first = service(t, { dataDir });
  const { url } = await first.outcome;
  process.kill(-(first.child.pid ?? 0), "SIGINT");
  await sleep(200);
  assert.deepEqual(await ask(url, "SELECT 1"), [[1]]);
});

large("a stop while the database is coming back leaves nothing behind", async (t) => {
  const dataDir = await usedFolder(t);
  const server = await startEmbedded({ dataDir });
  for (const ms of [0, 20, 120]) {
    const again = ms === 0 ? server : await startEmbedded({ dataDir });
    kill(serverPid(dataDir), "SIGKILL");
    await sleep(ms);
    await Promise.all([again.stop(), again.stop()]);
    assert.deepEqual(serverProcesses(clusterOf(dataDir)), []);
  }
});
