import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeChecked } from "../../src/db/backup/files/checked-file.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { ask } from "../embedded/support/rig.ts";
import { large } from "../large.ts";
import { SECRET, type Served, served, until } from "./support/served.ts";

interface Told {
  sha256: string;
  started: string;
  finished: string;
  log: { line: string };
}

const settings = { BACKUP_PASSPHRASE: SECRET };

/** The complete backups of a service, the oldest first. */
function backupsOf(the: Served): { name: string; path: string; told: Told }[] {
  const folder = join(the.dataDir, "backups");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => ({ name, path: join(folder, name, "backup.json") }))
    .filter(({ name, path }) => !name.endsWith(".partial") && existsSync(path))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((each) => ({ ...each, told: JSON.parse(readFileSync(each.path, "utf8")) as Told }));
}

large(
  "a new backup removes those that are too old, what a killed one left, and the log that no backup needs any more",
  async (t) => {
    const the = await served(t);
    await the.start(settings);
    await until(() => backupsOf(the).length === 1, "the first backup");
    const [first] = backupsOf(the);
    await the.end("SIGTERM");
    assert.ok(first);
    const longAgo = new Date(Date.now() - 10 * 86_400_000).toISOString();
    const { sha256: _, ...told } = first.told;
    await writeChecked(first.path, { ...told, started: longAgo, finished: longAgo });
    const left = join(the.dataDir, "backups", "leadgate-2026-01-01T02-00-00Z.partial");
    mkdirSync(left);
    const archive = join(the.dataDir, "backups", `log-${first.told.log.line}`);
    const segments = () => readdirSync(archive).sort();
    const before = segments();

    await the.start(settings);
    await until(() => backupsOf(the).some(({ name }) => name !== first.name), "the next backup");
    await until(() => backupsOf(the).length === 1, "the removal of the old one");
    const [second] = backupsOf(the);
    assert.equal(second?.told.log.line, first.told.log.line);
    assert.ok(!existsSync(left));
    await until(() => !segments().includes(before[0] ?? ""), "the removal of the log before the kept backup");
  },
);

large(
  "where the archive of the log has a gap, a new archive begins with a new backup, and moments before and after it can be restored",
  async (t) => {
    const the = await served(t);
    await the.start(settings);
    const caller = await the.caller();
    await until(() => backupsOf(the).length === 1, "the first backup");
    assert.equal(await caller.createLead("before"), 201);
    await sleep(1_500);
    const moment = new Date();
    await sleep(1_500);
    await the.end("SIGTERM");
    // The server loses what was not archived, as it does if the archive cannot follow for too long.
    const server = await startEmbedded({ dataDir: the.dataDir });
    await ask(server.superuserUrl, "SELECT pg_drop_replication_slot('leadgate_archive')");
    for (let n = 0; n < 4; n += 1) {
      await ask(server.superuserUrl, "CREATE TABLE filler AS SELECT FROM generate_series(1, 1000)");
      await ask(server.superuserUrl, "DROP TABLE filler; SELECT pg_switch_wal()");
    }
    await ask(server.superuserUrl, "CHECKPOINT");
    await server.stop();

    await the.start(settings);
    await until(() => backupsOf(the).length === 2, "the backup of the new archive");
    const [former, next] = backupsOf(the);
    assert.notEqual(former?.told.log.line, next?.told.log.line);
    assert.match(the.printed(), /the archive of the log cannot go on; a new one begins/);
    assert.equal(await caller.createLead("after"), 201);
    await sleep(3_000);
    await the.end("SIGKILL");
    const restored = async (folder: string, ...to: string[]) => {
      const env = { ...settings, BACKUPS: '{"at":null}', DATA_DIR: join(the.folder, folder) };
      await the.done(["restore", "--from", join(the.dataDir, "backups"), ...to], env);
      await the.start(env);
      const names = await caller.names();
      await the.end("SIGTERM");
      return names;
    };
    assert.deepEqual(await restored("then", "--to", moment.toISOString()), ["before"]);
    assert.deepEqual(await restored("latest"), ["after", "before"]);
  },
);

large("a backup that is killed leaves nothing that counts as a backup", async (t) => {
  const the = await served(t);
  await the.start({ BACKUPS: '{"at":null}' });
  const kept = join(the.folder, "kept");
  const child = spawn(process.execPath, ["src/main.ts", "backup", "--to", kept], {
    env: { PATH: process.env.PATH, DATA_DIR: the.dataDir },
    stdio: "ignore",
  });
  const gone = once(child, "close");
  const hasBegun = () => existsSync(kept) && readdirSync(kept).some((name) => name.endsWith(".partial"));
  await until(hasBegun, "the beginning of the backup");
  child.kill("SIGKILL");
  await gone;
  const { backups } = await the.done<{ backups: object[] }>(["backup", "list", "--from", kept]);
  assert.deepEqual(backups, []);
  const { code, err } = await the.leadgate(["backup", "verify", "--from", kept]);
  assert.equal(code, 1);
  assert.match(err, /has no complete backup/);
});

large(
  "a service without regular backups makes none, and its server keeps no log for an archive",
  async (t) => {
    const the = await served(t);
    await the.start(settings);
    await until(() => backupsOf(the).length === 1, "the first backup");
    await the.end("SIGTERM");
    await the.start({ BACKUPS: '{"at":null}' });
    const server = await startEmbedded({ dataDir: the.dataDir, attach: true });
    const slots = () => ask(server.superuserUrl, "SELECT slot_name FROM pg_replication_slots");
    // The service is ready a moment before it has removed the slot.
    await until(async () => (await slots()).length === 0, "the removal of the slot");
  },
);
