import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mountedAt, remount, umount } from "../chaos/ground.ts";
import { large } from "../large.ts";
import { CannotRun, lacks } from "../programs.ts";
import { assertExact, hasBackup, journalOf, nextSegment, type Restored } from "./support/journal.ts";
import { SECRET, served, until } from "./support/served.ts";

const MEGABYTE = 1_048_576;

const backupsOf = (folder: string): string[] =>
  readdirSync(folder).filter((name) => existsSync(join(folder, name, "backup.json")));

const archivesOf = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith("log-"));

large("a full disk of the archive is a failure that is reported, and loses nothing", async (t) => {
  const the = await served(t);
  const to = mkdtempSync(join(tmpdir(), "leadgate-full-"));
  if (!mountedAt(to)) throw new CannotRun("no file system can be mounted");
  t.after(async () => {
    await the.end("SIGKILL");
    umount(to);
    rmSync(to, { recursive: true });
  });
  remount(to, 400 * MEGABYTE);
  await the.start({ BACKUPS: JSON.stringify({ to }) });
  const caller = await the.caller();
  await until(() => hasBackup(to), "the first backup");
  const journal = journalOf("Lead", caller.createLead);
  await sleep(1_500);
  const filler = join(to, "filler");
  writeFileSync(filler, Buffer.alloc(400 * MEGABYTE - usedBy(to) - 8 * MEGABYTE));
  await until(() => /the log is not archived at the moment/.test(the.printed()), "the report of the failure");
  const verify = ["backup", "verify", "--from", to, "--scratch", to];
  const { err } = await the.leadgate(verify);
  assert.match(
    err,
    /The backup was not verified: restoring it takes about \d+ MB in .*, which has \d+ MB left/,
  );
  const full = await the.leadgate(["restore", "--from", to, "--without-key"], { DATA_DIR: join(to, "data") });
  assert.match(full.err, /The disk of .* is full\. Free some room/);
  await nextSegment(the);
  await sleep(1_500);
  const metrics = await (await fetch(`${the.baseUrl}/metrics`)).text();
  assert.match(metrics, /leadgate_backup_failures_total [1-9]/);
  rmSync(filler);
  await sleep(8_000);
  await journal.stop();
  await sleep(2_000);
  await the.end("SIGKILL");
  const env = { DATA_DIR: join(the.folder, "again") };
  const restored = await the.done<Restored>(["restore", "--from", to, "--without-key"], env);
  await assertExact(env.DATA_DIR, restored, journal.entries);
  assert.ok(Date.parse(restored.complete_until ?? "") >= (journal.entries.at(-1)?.acknowledged ?? 0));
});

const usedBy = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + readFileSync(join(each.parentPath, each.name)).length, 0);

large(
  "setting and changing the passphrase begins a new archive with a new backup, and what was made before opens with the passphrase of then",
  async (t) => {
    const the = await served(t);
    const to = join(the.dataDir, "backups");
    const rounds: { env: Record<string, string>; at: number; name: string }[] = [];
    for (const [n, env] of [
      {},
      { BACKUP_PASSPHRASE: SECRET },
      { BACKUP_PASSPHRASE: "another one" },
    ].entries()) {
      await the.start(env);
      const caller = await the.caller(`person${n}`);
      await until(() => existsSync(to) && backupsOf(to).length > n, "the backup of the new archive");
      assert.equal(await caller.createLead(`Lead ${n}`), 201);
      const at = Date.now();
      await sleep(2_500);
      await the.end("SIGTERM");
      rounds.push({ env, at, name: `Lead ${n}` });
    }
    assert.equal(archivesOf(to).length, 3);
    for (const [n, { env, at }] of rounds.entries()) {
      const dataDir = join(the.folder, "again");
      const into = { ...env, DATA_DIR: dataDir };
      const command = ["restore", "--from", to, "--without-key", "--to", new Date(at).toISOString()];
      if (n > 0) {
        const without = await the.leadgate(command, { DATA_DIR: dataDir });
        assert.match(without.err, /The backup is encrypted\. Set BACKUP_PASSPHRASE/);
        const wrong = await the.leadgate(command, { DATA_DIR: dataDir, BACKUP_PASSPHRASE: "a wrong one" });
        assert.match(wrong.err, /The passphrase does not open this backup/);
      }
      const restored = await the.done<Restored>(command, into);
      const entries = rounds
        .slice(0, n + 1)
        .map((each) => ({ name: each.name, sent: each.at, acknowledged: each.at }));
      await assertExact(dataDir, restored, entries);
      rmSync(dataDir, { recursive: true });
    }
    const verified = await the.done<{ result: string; not_checked: string[] }>(
      ["backup", "verify", "--from", to],
      rounds[2]?.env,
    );
    assert.equal(verified.result, "restored, every table as it was");
    assert.match(verified.not_checked.join(), /which is encrypted with another passphrase/);
    // Rows are in no file as they are; the first round was not encrypted.
    const files = readdirSync(to, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(sealed|zst)$/.test(name),
    );
    assert.ok(files.some((name) => name.endsWith(".sealed")));
  },
);

/** Of sched(7): a process that runs only while nothing else wants the processor. */
const SCHED_IDLE = "5";

/** How the system schedules a process: the 41st field of its state, of which the second may have spaces. */
const policyOf = (pid: number): string | undefined =>
  readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[38];

large(
  "every night the newest backup and its archive are restored and compared, and the panel and the metrics say when",
  async (t) => {
    const the = await served(t);
    const to = join(the.dataDir, "backups");
    const usual = { BACKUP_PASSPHRASE: SECRET };
    // However long the first backup takes on a busy machine, the night comes after it.
    await the.start(usual);
    await until(() => hasBackup(to), "the first backup");
    await the.end("SIGTERM");
    // The night begins with the minute after the next one.
    const night = new Date(Date.now() + 90_000);
    const at = `${String(night.getHours()).padStart(2, "0")}:${String(night.getMinutes()).padStart(2, "0")}`;
    // On a machine that is busy with tests, a process that waits for an idle processor would wait for all of them.
    const [programs, asked] = [join(the.folder, "programs"), join(the.folder, "asked")];
    mkdirSync(programs);
    writeFileSync(join(programs, "chrt"), `#!/bin/sh\necho "$@" >> ${asked}\n`, { mode: 0o755 });
    const PATH = `${programs}:${process.env.PATH}`;
    const env = { ...usual, BACKUPS: JSON.stringify({ at }), PATH };
    await the.start(env);
    const caller = await the.caller();
    assert.equal(await caller.createLead("one"), 201);
    const metric = async () => {
      const text = await (await fetch(`${the.baseUrl}/metrics`)).text();
      return Number(/^leadgate_backup_verified_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
    };
    assert.equal(await metric(), 0);
    await until(async () => (await metric()) > 0, "the comparison of the night");
    assert.ok((await metric()) >= night.getTime() / 1_000 - 60);
    assert.equal(backupsOf(to).length, 2);
    // The line is written next, and may arrive later than the metric.
    const compared = /the newest backup and its archive were restored and compared/;
    await until(() => compared.test(the.printed()), "the line about the comparison");
    assert.ok(!existsSync(join(the.dataDir, "verifying")));
    if (process.platform === "linux" && lacks("chrt") === false) {
      const words = readFileSync(asked, "utf8").trim().split(/\s/);
      assert.match(words.at(-1) ?? "", /^\d+$/);
      const other = spawn("sleep", ["60"]);
      spawnSync("chrt", [...words.slice(0, -1), String(other.pid)]);
      assert.equal(policyOf(other.pid ?? 0), SCHED_IDLE);
      other.kill();
    }

    // A damaged archive is reported, and the last success stays the last success.
    const before = await metric();
    const archive = join(to, archivesOf(to)[0] ?? "");
    for (let n = 0; n < 3; n += 1) {
      assert.equal(await caller.createLead(`${n}`), 201);
      await nextSegment(the);
      await sleep(1_500);
    }
    await the.end("SIGTERM");
    const complete = readdirSync(archive)
      .filter((name) => name.includes(".zst"))
      .sort();
    rmSync(join(archive, complete.at(-2) ?? ""));
    rmSync(join(to, "verified.json"));
    await the.start(env);
    await until(
      () => /the newest backup could not be verified/.test(the.printed()),
      "the report of the damage",
    );
    const [said = ""] = the
      .printed()
      .split("\n")
      .filter((line) => /could not be verified/.test(line));
    assert.match(said, /The backup is damaged: the segment .* is missing/);
    assert.ok(before > 0 && (await metric()) === 0);
  },
);

large(
  "an archive and a backup of an older release still restore, and verify says which checks they cannot have",
  async (t) => {
    const the = await served(t);
    const to = join(the.dataDir, "backups");
    await the.start();
    const caller = await the.caller();
    await until(() => hasBackup(to), "the first backup");
    const journal = journalOf("Lead", caller.createLead);
    await sleep(700);
    await nextSegment(the);
    await sleep(1_500);
    await journal.stop();
    await sleep(1_500);
    await the.end("SIGTERM");
    const older = join(the.folder, "older");
    cpSync(to, older, { recursive: true });
    asOlderRelease(older);
    const verified = await the.done<{ result: string; not_checked: string[] }>([
      "backup",
      "verify",
      "--from",
      older,
    ]);
    assert.equal(verified.result, "restored, every table as it was");
    assert.equal(verified.not_checked.length, 2);
    const dataDir = join(the.folder, "again");
    const restored = await the.done<Restored & { not_checked: string[] }>(
      ["restore", "--from", older, "--without-key"],
      { DATA_DIR: dataDir },
    );
    assert.equal(restored.complete_until, null);
    assert.equal(restored.not_checked.length, 2);
    await assertExact(dataDir, restored, journal.entries);

    // A damaged one does not.
    const archive = join(older, archivesOf(older)[0] ?? "");
    const [segment = ""] = readdirSync(archive).filter((name) => name.endsWith(".zst"));
    const bytes = readFileSync(join(archive, segment));
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    writeFileSync(join(archive, segment), bytes);
    const refused = await the.leadgate(["restore", "--from", older, "--without-key"], {
      DATA_DIR: join(the.folder, "no"),
    });
    assert.equal(refused.code, 1);
    assert.match(refused.err, new RegExp(`The backup is damaged: .*${segment.slice(0, 24)}`));
  },
);

/** Makes of a backup and its archive what releases 0.1 and 0.2 would have written. */
function asOlderRelease(folder: string): void {
  for (const name of backupsOf(folder)) {
    const path = join(folder, name, "backup.json");
    const { sha256: _, key: __, restoredBytes: ___, ...told } = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, `${JSON.stringify({ ...told, format: 1 }, undefined, 2)}\n`);
  }
  for (const name of archivesOf(folder)) {
    const archive = join(folder, name);
    const { time } = JSON.parse(`${readFileSync(join(archive, "end"), "utf8").split("} ")[0]}}`) as {
      time: string;
    };
    writeFileSync(join(archive, "caught-up"), time);
    for (const file of readdirSync(archive)) {
      const path = join(archive, file);
      if (file.endsWith(".zst")) writeFileSync(path, readFileSync(path).subarray(0, -40));
      else if (!file.endsWith(".partial") && file !== "caught-up") rmSync(path);
    }
  }
}
