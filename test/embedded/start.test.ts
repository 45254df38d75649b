import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { large } from "../large.ts";
import { ask, dataFolder, serverPid, service } from "./support/rig.ts";

test("a first start creates the database, a restart keeps what was written", async (t) => {
  const dataDir = join(dataFolder(t), "made", "on", "demand");
  const first = await startEmbedded({ dataDir });
  assert.equal(first.owner, true);
  await ask(first.url, "CREATE TABLE kept AS SELECT 'Ünal' AS name");
  await first.stop();
  await assert.rejects(ask(first.url, "SELECT 1"), "a stopped server is gone");
  const began = performance.now();
  const second = await startEmbedded({ dataDir });
  t.after(() => second.stop());
  t.diagnostic(`restart in ${Math.round(performance.now() - began)} ms`);
  assert.deepEqual(await ask(second.url, "SELECT name FROM kept"), [["Ünal"]]);
});

large(
  "the database is reached by a socket in its own folder, or over the loopback address if the path is too long",
  async (t) => {
    const near = await startEmbedded({ dataDir: join(dataFolder(t), 'a, "b" é%') });
    t.after(() => near.stop());
    assert.deepEqual(await ask(near.url, "SELECT inet_client_addr()"), [[null]]);
    const far = await startEmbedded({ dataDir: join(dataFolder(t), "d".repeat(90)) });
    t.after(() => far.stop());
    assert.deepEqual(await ask(far.url, "SELECT inet_client_addr()::text"), [["127.0.0.1/32"]]);
  },
);

test("the database is durable, private and speaks every language", async (t) => {
  const dataDir = dataFolder(t);
  const secret = "a-secret-of-ours";
  const { outcome, end } = service(t, { dataDir }, { env: { ...process.env, SECRET_KEY: secret } });
  const { url } = await outcome;
  const settings = await ask(
    url,
    `SELECT current_setting('fsync'), current_setting('data_checksums'), current_setting('listen_addresses'),
            current_setting('TimeZone'), current_setting('server_encoding'), lower('ÄÇ'), 'ÄNNA' ILIKE '%änn%'`,
  );
  assert.deepEqual(settings, [["on", "on", "127.0.0.1", "UTC", "UTF8", "äç", true]]);
  await ask(url, "CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin");
  assert.deepEqual(await ask(url, "SELECT similarity('Zoë', 'zoë')"), [[1]]);
  const role = "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user";
  assert.deepEqual(await ask(url, role), [[false, false]], "row-level security holds for the service");
  await assert.rejects(ask(url?.replace(/:[0-9a-f]{64}@/, ":wrong@"), "SELECT 1"), /password authentication/);
  assert.equal(statSync(join(dataDir, "postgres.secret")).mode & 0o777, 0o600);
  assert.match(readFileSync(join(dataDir, "postgres.secret"), "utf8"), /^[0-9a-f]{64}\n$/);
  assert.equal(statSync(join(dataDir, "postgres")).mode & 0o077, 0);
  if (process.platform === "linux") {
    assert.ok(!readFileSync(`/proc/${serverPid(dataDir)}/environ`, "utf8").includes(secret));
  }
  await assert.rejects(ask(url, "SELECT 'value-in-statement'::int"));
  assert.ok(!readFileSync(join(dataDir, "postgres.log"), "utf8").includes("SELECT 'value"));
  await end("SIGTERM");
});

test("kill -9 during the first start leaves nothing half-made", async (t) => {
  const dataDir = dataFolder(t);
  for (const ms of [300, 800]) {
    const { end } = service(t, { dataDir });
    await new Promise((resolve) => setTimeout(resolve, ms));
    await end("SIGKILL");
  }
  const server = await startEmbedded({ dataDir });
  t.after(() => server.stop());
  assert.deepEqual(await ask(server.url, "SELECT 1"), [[1]]);
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith("postgres.new")),
    [],
  );
});
