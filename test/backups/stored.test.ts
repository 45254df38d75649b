import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, type TestContext, test } from "node:test";
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
} from "../../src/db/backup/stored-backups.ts";
import { readEnd } from "../../src/db/backup/wal/archive.ts";
import { KEYS, type S3Server, s3Server, noS3 as skip } from "./support/s3-server.ts";

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
  const backup = async (days: number, first: number) => {
    const at = new Date(Date.now() - days * DAY_MS).toISOString();
    const path = join(folder, `leadgate-${at.slice(0, 19).replaceAll(":", "-")}Z`);
    mkdirSync(join(path, "log"), { recursive: true });
    writeFileSync(join(path, "base.tar.zst"), "base");
    writeFileSync(join(path, "log", `${segment(first)}.partial`), "own");
    const start = `0/${first.toString(16)}000028`;
    const log = { line: LINE, timeline: 1, segmentBytes: 16 * MEBIBYTE, start, end: start, point: null };
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

const ONE: Owner = { id: "one", system: "7", data_dir: "/srv/one" };

test("a store with backups of a service refuses another one, which has written nothing there", {
  skip,
}, async (t) => {
  const { store, keys, folder } = await site(t, "owned");
  await claimFolder(folder, ONE);
  await claimStore(store, folder, { owner: ONE });
  await claimStore(store, folder, { owner: ONE });
  const other = join(local, "other");
  const two = { ...ONE, id: "two", data_dir: "/srv/two" };
  await claimFolder(other, two);
  await assert.rejects(
    claimStore(store, other, { owner: two }),
    /The backups in s3:\/\/backups\/owned belong to the service with the data folder \/srv\/one\..* remove s3:\/\/backups\/owned\/owner\.json/,
  );
  assert.deepEqual(await keys(), ["owner.json"]);
  assert.ok(existsSync(join(other, "owner.json")));
});
