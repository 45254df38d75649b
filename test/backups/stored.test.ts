import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../src/config/config.ts";
import { placeOf } from "../../src/config/read-backups.ts";
import { type Backup, writeDescription } from "../../src/db/backup/backup.ts";
import { findBackup } from "../../src/db/backup/find-backup.ts";
import { claimFolder, claimStore, type Owner } from "../../src/db/backup/owner.ts";
import { sendFolder } from "../../src/db/backup/store/copy-folder.ts";
import { Store } from "../../src/db/backup/store/store.ts";
import {
  completesBackup,
  fetchBackup,
  fetchDescriptions,
  isKeptInStore,
  storedBackups,
} from "../../src/db/backup/stored-backups.ts";
import type { Source } from "../../src/db/backup/take-backup.ts";
import { readEnd } from "../../src/db/backup/wal/archive.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import type { BackupState } from "../../src/domain/operation/service/backup-state.ts";
import { keepStored } from "../../src/domain/upkeep/backups/keep-stored.ts";
import { removeOld, waitingLog } from "../../src/domain/upkeep/backups/remove-old.ts";
import { removeStored } from "../../src/domain/upkeep/backups/remove-stored.ts";
import { ask } from "../embedded/support/rig.ts";
import { large } from "../large.ts";
import { freePort, world } from "../world.ts";
import { assertExact, journalOf, nextSegment, type Restored } from "./support/journal.ts";
import { KEYS, refuse, type S3Server, s3Server, noS3 as skip } from "./support/s3-server.ts";
import { SECRET, type Served, served, until } from "./support/served.ts";

let server: Promise<S3Server> | undefined;
const local = mkdtempSync(join(tmpdir(), "leadgate-stored-"));
after(async () => {
  rmSync(local, { recursive: true });
  await (await server)?.stop();
});

const DAY_MS = 86_400_000;
const LINE = "1f2e3d4c5b6a";
const MEBIBYTE = 1_048_576;
const segment = (n: number) => `0000000100000000000000${n.toString(16).padStart(2, "0").toUpperCase()}`;

/** A local folder of backups, and a prefix of the store for it. */
async function site(_: TestContext, name: string) {
  server ??= s3Server();
  const the = await server;
  const folder = join(local, name);
  const archive = join(folder, `log-${LINE}`);
  mkdirSync(archive, { recursive: true });
  const store = new Store({ ...the.address, prefix: name }, KEYS);
  /** Writes a backup that was made so many days ago and starts with a segment. */
  const backup = async (days: number, first: number, line = LINE) => {
    const at = new Date(Date.now() - days * DAY_MS).toISOString();
    const path = join(folder, `leadgate-${at.slice(0, 19).replaceAll(":", "-")}Z`);
    mkdirSync(join(path, "log"), { recursive: true });
    writeFileSync(join(path, "base.tar.zst"), "base");
    writeFileSync(join(path, "log", `${segment(first)}.partial`), "own");
    const start = `0/${first.toString(16)}000028`;
    const log = { line, timeline: 1, segmentBytes: 16 * MEBIBYTE, start, end: start, point: null };
    await writeDescription(path, {
      format: 2,
      kind: "files",
      ...DESCRIPTION,
      log,
      started: at,
      finished: at,
    });
    return basename(path);
  };
  const finished = (...numbers: number[]) => {
    for (const n of numbers) writeFileSync(join(archive, `${segment(n)}.zst`), `log ${n}`);
  };
  writeFileSync(join(archive, "archive.json"), "{}");
  const send = () => sendFolder(store, { folder, isComplete: isKeptInStore, isLast: completesBackup }, "");
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of store.list()) found.push(key);
    return found;
  };
  return { the, folder, archive, store, backup, finished, send, keys };
}

const DESCRIPTION: Pick<
  Backup,
  "release" | "postgres" | "migrations" | "files" | "tables" | "secretKeys" | "key" | "sequences"
> = {
  ...{ release: "0.3.0", postgres: "18.1", migrations: [], files: [], tables: null },
  ...{ secretKeys: null, key: null, sequences: null },
};

test("of a store, the newest backup and the log behind it are fetched; the archive ends with its last finished segment", {
  skip,
}, async (t) => {
  const { archive, store, backup, finished, send, keys } = await site(t, "fetched");
  const older = await backup(2, 1);
  const newest = await backup(1, 3);
  finished(1, 2, 3, 4);
  writeFileSync(join(archive, `${segment(5)}.partial`), "grows");
  writeFileSync(join(archive, "end"), "grows");
  writeFileSync(join(archive, "archive.json.new"), "grows");
  await send();
  assert.ok(!(await keys()).some((key) => /end$|\.new$|^log.*partial/.test(key)));

  const scratch = join(local, "scratch");
  const files = await fetchDescriptions(store, scratch);
  const found = await findBackup(scratch, scratch);
  assert.equal(basename(found.folder), newest);
  await fetchBackup(store, files, found);
  assert.deepEqual(readdirSync(join(scratch, older)), ["backup.json"]);
  assert.deepEqual(readdirSync(join(scratch, newest, "log")), [`${segment(3)}.partial`]);
  const log = join(scratch, `log-${LINE}`);
  assert.deepEqual(readdirSync(log).sort(), [
    `${segment(3)}.zst`,
    `${segment(4)}.zst`,
    "archive.json",
    "end",
  ]);
  assert.deepEqual(await readEnd(log), { position: 0x5_000_000n, time: null, sha256: null });
});

test("a store keeps backups for keptDays and the newest one longer, and of the log what kept backups need", {
  skip,
}, async (t) => {
  const { store, backup, finished, send, keys, folder } = await site(t, "kept");
  const [oldest, middle, newest] = [await backup(9, 1), await backup(3, 3), await backup(1, 5)];
  finished(1, 2, 3, 4, 5, 6);
  await send();
  const left = "leadgate-2026-01-01T02-00-00Z/base.tar.zst";
  await store.put(join(folder, middle, "base.tar.zst"), left);
  await store.put(join(folder, middle, "base.tar.zst"), "log-000000000000/archive.json");
  const remove = async (keptDays: number) => {
    const stored = await storedBackups(store, folder, { known: [] });
    assert.deepEqual(stored.damaged, []);
    const isLocal = (name: string) => name === `log-${LINE}`;
    const kept = await removeStored(store, { keptDays }, { ...stored, isLocal });
    return kept.map((each) => basename(each.folder));
  };
  assert.deepEqual(await remove(10), [oldest, middle, newest]);
  assert.deepEqual(await remove(7), [middle, newest]);
  const rest = await keys();
  assert.ok(!rest.some((key) => key.startsWith(oldest)));
  assert.deepEqual(segmentsIn(rest), [3, 4, 5, 6].map(segment));
  // What arrived today may be of a backup that another instance still sends.
  assert.ok(rest.includes(left));
  assert.ok(!rest.some((key) => key.startsWith("log-000000000000/")));
  assert.deepEqual(await remove(2), [newest]);
  assert.deepEqual(segmentsIn(await keys()), [5, 6].map(segment));
});

const segmentsIn = (keys: readonly string[]) =>
  keys.filter((key) => key.endsWith(".zst") && key.startsWith("log-")).map((key) => key.slice(17, 41));

test("what a store refuses to remove because it is locked stays a backup, and is a failure only after its days", {
  skip,
}, async (t) => {
  const { the, store, backup, send, folder } = await site(t, "locked");
  const names = [await backup(9, 1), await backup(1, 1)];
  await send();
  t.after(() => {
    the.fault = () => undefined;
  });
  the.fault = ({ method, url }) =>
    method === "POST" && url.includes("?delete")
      ? { answer: (response) => refuse(response, 403, "AccessDenied") }
      : undefined;
  const remove = async (lockedDays: number | undefined) => {
    const stored = await storedBackups(store, folder, { known: [] });
    return await removeStored(store, { keptDays: 7 }, { ...stored, isLocal: () => true, lockedDays });
  };
  assert.deepEqual(
    (await remove(30)).map((each) => basename(each.folder)),
    names,
  );
  await assert.rejects(remove(undefined), /The access key may not/);
});

test("with a store, the folder keeps the newest backup, and nothing is removed that has not arrived", {
  skip,
}, async (t) => {
  const { backup, finished, folder, archive } = await site(t, "local");
  const [oldest, newest] = [await backup(2, 1), await backup(1, 3)];
  finished(1, 2, 3);
  const stored = new Set<string>();
  const inStore = { isStored: (path: string) => stored.has(path) };
  const there = () => readdirSync(folder).filter((name) => name.startsWith("leadgate-"));
  const log = () => readdirSync(archive).filter((name) => name.endsWith(".zst"));
  assert.equal(await removeOld({ to: folder, keptDays: 7 }, { line: LINE, inStore }), 0);
  assert.deepEqual([there().length, log().length], [2, 3]);
  for (const name of ["backup.json", "base.tar.zst"]) stored.add(`${oldest}/${name}`);
  for (const n of [1, 3]) stored.add(`log-${LINE}/${segment(n)}.zst`);
  assert.equal(await removeOld({ to: folder, keptDays: 7 }, { line: LINE, inStore }), 1);
  assert.deepEqual(there(), [newest]);
  assert.deepEqual(
    log(),
    [2, 3].map((n) => `${segment(n)}.zst`),
  );
  const { bytes, since } = await waitingLog(folder, `log-${LINE}`, inStore);
  assert.deepEqual([bytes, since instanceof Date], ["log 2".length, true]);
});

test("a former archive of which more waits than the bound is given up once another backup does without it", {
  skip,
}, async (t) => {
  const { backup, finished, folder, archive } = await site(t, "given-up");
  await backup(2, 1);
  finished(1, 2);
  const inStore = { isStored: () => false };
  const remove = (mostWaiting: number) =>
    removeOld({ to: folder, keptDays: 7 }, { line: "abcdefabcdef", inStore, mostWaiting });
  assert.equal(await remove(5), 0);
  const newest = await backup(1, 3, "abcdefabcdef");
  assert.equal(await remove(10), 0);
  assert.ok(existsSync(archive));
  assert.equal(await remove(9), 1);
  assert.ok(!existsSync(archive));
  assert.deepEqual(readdirSync(folder), [newest]);
});

const ONE: Owner = { id: "one", system: "7", data_dir: "/srv/one" };

test("a store with backups of a service refuses another one, which has written nothing there", {
  skip,
}, async (t) => {
  const { the, store, keys, folder } = await site(t, "owned");
  await claimFolder(folder, ONE);
  await claimStore(store, folder, { owner: ONE });
  await claimStore(store, folder, { owner: ONE });
  const other = join(local, "other");
  const two = { ...ONE, id: "two", data_dir: "/srv/two" };
  await claimFolder(other, two);
  const refused =
    /The backups in s3:\/\/backups\/owned belong to the service with the data folder \/srv\/one\..* remove s3:\/\/backups\/owned\/owner\.json/;
  await assert.rejects(claimStore(store, other, { owner: two }), refused);
  // It looked before the first one had written.
  let looks = 0;
  the.fault = ({ method }) =>
    method === "GET" && looks++ === 0
      ? { answer: (response) => refuse(response, 404, "NoSuchKey") }
      : undefined;
  await assert.rejects(claimStore(store, other, { owner: two }), refused);
  the.fault = ({ headers }) =>
    headers["if-none-match"] === undefined
      ? undefined
      : { answer: (response) => refuse(response, 501, "NotImplemented") };
  await store.remove(["owner.json"]);
  await claimStore(store, other, { owner: two });
  await assert.rejects(claimStore(store, folder, { owner: ONE }), /data folder \/srv\/two/);
  the.fault = () => undefined;
  assert.deepEqual(await keys(), ["owner.json"]);
  assert.ok(existsSync(join(other, "owner.json")));
});

test("a store that was away before a restart stays late", async (t) => {
  await using the = await world({ alone: true });
  const folder = join(local, "away");
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const keys = { BACKUP_S3_ACCESS_KEY_ID: KEYS.id, BACKUP_S3_SECRET_ACCESS_KEY: KEYS.secret };
  const BACKUPS = JSON.stringify({ to: `s3://backups/away?endpoint=${endpoint}` });
  const { backups } = readConfig({ ...keys, BACKUPS, DATABASE_URL: the.databaseUrl });
  assert.ok(backups?.store !== undefined);
  const arrived = new Date(Date.now() - 2 * 3_600_000).toISOString();
  await the.sql("INSERT INTO leadgate.backup_report (host, folder, report) VALUES ('earlier', $1, $2)", [
    placeOf(backups),
    { store: { arrived } },
  ]);
  const state: BackupState = { failures: 0, isOnSameDisk: false };
  const source: Source = { kind: "rows", url: the.databaseUrl, dataDir: null };
  const { service } = the;
  const settings = { ...backups, to: folder, store: backups.store };
  const copy = keepStored({ db: service.db, log: service.log, backups: state }, { settings, source });
  t.after(() => copy.stop());
  await until(() => state.store?.arrived === arrived, "the former arrival");
});

large(
  "a machine that is lost with its disk is restored from the store, which was away for a while and has everything that had arrived",
  {
    skip,
  },
  async (t) => {
    const s3 = await s3Server();
    t.after(() => s3.stop());
    const the = await served(t);
    const secret = join(the.folder, "secret-access-key");
    writeFileSync(secret, `${KEYS.secret}\n`);
    const to = `s3://backups/leads?endpoint=${s3.address.endpoint}`;
    const keys = { BACKUP_S3_ACCESS_KEY_ID: KEYS.id, BACKUP_S3_SECRET_ACCESS_KEY_FILE: secret };
    const env = { ...keys, BACKUP_PASSPHRASE: SECRET };
    const regular = { ...env, BACKUPS: JSON.stringify({ to }) };
    const there = () =>
      readdirSync(s3.folder, { recursive: true, encoding: "utf8" }).map((name) =>
        name.replace(/^leads\//, ""),
      );
    const hasArrived = (name: RegExp) => there().some((each) => name.test(each));
    const here = () =>
      readdirSync(join(the.dataDir, "backups"), { recursive: true, encoding: "utf8" }).filter((name) =>
        /^log-.*\.zst\.sealed$/.test(name),
      );
    const allArrived = () => here().every((name) => there().some((each) => each.startsWith(name)));

    const newest = () => here().sort().at(-1);
    /** Ends the segment that grows, and waits until the archive has it. */
    const finishSegment = async () => {
      const before = newest();
      await nextSegment(the);
      await until(() => newest() !== before, "a finished segment");
    };

    await the.start(regular);
    const caller = await the.caller();
    const journal = journalOf("lead", caller.createLead);
    await until(() => hasArrived(/^leadgate-.*Z\/backup\.json/), "the first backup in the store");
    await finishSegment();
    await until(() => hasArrived(/^log-.*\.zst\.sealed/), "a segment in the store");
    const moment = new Date();

    s3.fault = () => ({ answer: (response) => response.destroy() });
    for (let n = 0; n < 3; n += 1) {
      await finishSegment();
      await sleep(1_500);
    }
    await until(() => /does not take backups at the moment/.test(the.printed()), "the notice in the log");
    assert.ok(!allArrived());
    s3.fault = () => undefined;
    await until(allArrived, "what had waited");
    let delay = 0;
    const reported = async () => {
      [[delay = 0] = []] = (await asked(
        the,
        "SELECT (report->'store'->>'greatestDelay')::float FROM leadgate.backup_report",
      )) as [number?][];
      return delay > 3;
    };
    await until(reported, "the report of the greatest delay");
    t.diagnostic(`greatest delay: ${delay} s`);
    console.log(`greatest delay of a file, with a store that was away: ${delay.toFixed(1)} s`);

    // A store that answers nothing does not hold up the end of the service.
    s3.fault = () => ({ answer: () => undefined });
    await finishSegment();
    await sleep(2_000);
    await journal.stop();
    const began = performance.now();
    await the.end("SIGTERM");
    assert.ok(performance.now() - began < 10_000, `${performance.now() - began} ms`);
    s3.fault = () => undefined;
    await the.start(regular);
    const later = journalOf("later", caller.createLead);
    await sleep(1_000);
    await finishSegment();
    await until(allArrived, "the segments of the time before and after the restart");
    await sleep(500);
    await later.stop();
    await the.end("SIGKILL");
    renameSync(the.dataDir, join(the.folder, "lost"));

    const { backups } = await the.done<{ backups: { folder: string }[] }>(
      ["backup", "list", "--from", to],
      env,
    );
    assert.match(backups[0]?.folder ?? "", /^s3:\/\/backups\/leads\/leadgate-.*Z$/);
    const verified = await the.done<Record<string, unknown>>(["backup", "verify", "--from", to], env);
    assert.match(String(verified.result), /every table as it was/);
    const entries = [...journal.entries, ...later.entries];
    const restore = async (name: string, ...words: string[]) => {
      const dataDir = join(the.folder, name);
      const done = await the.done<Restored>(["restore", "--from", to, ...words], {
        ...env,
        DATA_DIR: dataDir,
      });
      await assertExact(dataDir, done, entries);
      return done;
    };
    const latest = await restore("latest");
    assert.equal(latest.complete_until, null);
    const last = journal.entries.at(-1)?.acknowledged ?? 0;
    assert.ok(Date.parse(latest.restored_to) >= last, `${latest.restored_to} is before ${new Date(last)}`);
    assert.equal((await restore("then", "--to", moment.toISOString())).complete_until, moment.toISOString());
    const beyond = ["restore", "--from", to, "--to", new Date().toISOString()];
    const refused = await the.leadgate(beyond, { ...env, DATA_DIR: join(the.folder, "beyond") });
    assert.match(refused.err + refused.out, /log of this backup ends before .* Everything up to .* is whole/);

    // What was restored is another service for the store.
    const restored = { ...env, DATA_DIR: join(the.folder, "latest") };
    const other = await the.leadgate(["backup", "--to", to], restored);
    assert.match(
      other.err,
      /The backups in s3:\/\/backups\/leads belong to the service with the data folder/,
    );
    const fresh = to.replace("/leads", "/fresh");
    const made = await the.done<{ backup: string }>(["backup", "--to", fresh], restored);
    assert.match(made.backup, /^s3:\/\/backups\/fresh\/leadgate-.*Z$/);

    // A segment is lost in the middle of what the store has.
    const whole = new Store(s3.address, KEYS);
    const segments: string[] = [];
    for await (const { key } of whole.list("log-")) if (/\.zst\.sealed$/.test(key)) segments.push(key);
    const gone = segments.at(-2) ?? "";
    await whole.remove([gone]);
    const gap = await the.leadgate(["restore", "--from", to], { ...env, DATA_DIR: join(the.folder, "gap") });
    assert.equal(gap.code, 1);
    const missing = `the segment ${gone.slice(17, 41)} of the log is missing in s3://backups/leads/log-`;
    assert.ok(gap.err.includes(missing), gap.err);
    t.diagnostic(`${entries.length} leads in ${segments.length} segments`);
  },
);

/** Asks the database of a service that runs. */
async function asked(the: Served, sql: string): Promise<unknown[][]> {
  const server = await startEmbedded({ dataDir: the.dataDir, attach: true });
  return await ask(server.superuserUrl, sql);
}
