import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import type { Backup, LogPlace } from "../../src/db/backup/backup.ts";
import { findLog, type ReadLog, readLog } from "../../src/db/backup/read-log.ts";
import { EndMark, openArchive } from "../../src/db/backup/wal/archive.ts";
import { lsnOf, segmentEnd } from "../../src/db/backup/wal/lsn.ts";
import { receiveWal } from "../../src/db/backup/wal/receive.ts";
import { readStored, SegmentFolder, segmentFiles } from "../../src/db/backup/wal/segments.ts";
import type { ServerOrigin } from "../../src/db/backup/wal/walk.ts";
import { type EmbeddedServer, startEmbedded } from "../../src/db/embedded/index.ts";
import { damage } from "./support/damage.ts";
import { SECRET } from "./support/served.ts";

const folder = mkdtempSync(join(tmpdir(), "leadgate-log-"));
let server: EmbeddedServer;

before(async () => {
  server = await startEmbedded({ dataDir: join(folder, "data"), settings: { fsync: "off" } });
});

after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Archived {
  /** The folder of the archive, and the same as it was earlier. */
  folder: string;
  earlier: string;
  place: LogPlace;
  origin: ServerOrigin;
  key: Buffer | null;
  passphrase: string | undefined;
}

/** Archives the log of some segments of the server. */
async function archive(name: string, passphrase?: string): Promise<Archived> {
  const url = server.superuserUrl;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const path = join(folder, name, "log-0123");
  const ask = async (sql: string) =>
    (await client.query<{ lsn: string }>(`SELECT ${sql}`)).rows[0]?.lsn ?? "";
  // The slot keeps the log from the last checkpoint on.
  await client.query("CHECKPOINT");
  const start = await ask("redo_lsn AS lsn FROM pg_control_checkpoint()");
  let opened: { origin: ServerOrigin; key: Buffer | null } | undefined;
  const receiver = await receiveWal(url, { name, isTemporary: true }, async (origin) => {
    const key = await openArchive(path, origin, passphrase);
    opened = { origin, key };
    return { folder: path, key, mark: await EndMark.open(path) };
  });
  const write = async () => {
    for (let n = 0; n < 2; n += 1) {
      await client.query("CREATE TABLE t (a int); DROP TABLE t");
      await receiver.reached(lsnOf(await ask("pg_switch_wal() AS lsn")));
    }
    await client.query("CREATE TABLE t (a int); DROP TABLE t");
    await receiver.reached(lsnOf(await ask("pg_current_wal_flush_lsn() AS lsn")));
  };
  await write();
  cpSync(join(folder, name), join(folder, `${name}-earlier`), { recursive: true });
  await write();
  await receiver.stop();
  await client.end();
  if (opened === undefined) throw new Error("the archive was not opened");
  const { timeline, segmentBytes } = opened.origin;
  const place = { line: "0123", timeline, segmentBytes, start, end: start, point: null };
  return {
    folder: join(folder, name),
    earlier: join(folder, `${name}-earlier`),
    place,
    passphrase,
    ...opened,
  };
}

/** Reads the log of a backup that begins where the archive does. */
async function read({ folder: site, place, passphrase }: Archived, until?: Date): Promise<ReadLog> {
  const backup = { format: 2, log: place } as Backup;
  const found = { folder: join(site, "leadgate-x"), backup, key: null };
  return await readLog(place, await findLog(found, passphrase), until === undefined ? {} : { until });
}

/** The segments of an archive as another server would have written them. */
async function foreignOf({ folder: site, origin, key }: Archived): Promise<string> {
  const from = join(site, "log-0123");
  const target = `${site}-foreign`;
  mkdirSync(target);
  const segments = new SegmentFolder(target, origin, key);
  for (const { name, file, isGrowing } of await segmentFiles(from)) {
    const { bytes } = await readStored(join(from, file), { name, isGrowing, key });
    // The system identifier in the header of the first page.
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(24) + 1n, 24);
    await segments.write(segmentEnd(name, origin.segmentBytes) - BigInt(origin.segmentBytes), bytes);
  }
  await segments.close();
  return target;
}

// Each opening of a sealed archive takes half a second, as its passphrase is expensive to guess.
for (const [name, passphrase, damages] of [
  ["plain", undefined, 8],
  ["sealed", SECRET, 3],
] as const)
  test(`an archive of the log, ${name}, is whole up to its end, and no damage of it goes unnoticed`, async () => {
    const site = await archive(name, passphrase);
    const whole = await read(site);
    assert.equal(whole.damage, undefined);
    assert.equal(whole.segments, 5);
    assert.ok(
      whole.until !== undefined && whole.until.getTime() > (whole.whole.lastTime ?? 0) / 1_000 - 1_000,
    );
    const earlier = await read({ ...site, folder: site.earlier });
    assert.equal(earlier.damage, undefined);
    assert.equal(earlier.segments, 3);
    const between = new Date((earlier.whole.lastTime ?? 0) / 1_000);
    assert.equal((await read(site, between)).isPassed, true);
    const foreign = await foreignOf(site);
    const damaged = join(folder, "damaged");
    for (let seed = 1; seed <= damages; seed += 1) {
      cpSync(site.folder, damaged, { recursive: true });
      const done = damage({ folder: damaged, earlier: site.earlier, foreign }, seed);
      const found = await read({ ...site, folder: damaged }).catch((error: Error) => ({ damage: error }));
      assert.match(found.damage?.message ?? "", /The backup is damaged: .*damaged/, `seed ${seed}: ${done}`);
      rmSync(damaged, { recursive: true });
    }
  });

test("an archive in which a segment is completed while it is read is whole", {
  skip: process.platform === "win32" && "Windows has no named pipes in folders",
}, async () => {
  const site = await archive("growing");
  const [log, later] = [site.earlier, site.folder].map((path) => join(path, "log-0123")) as [string, string];
  const [first, ...others] = await segmentFiles(log);
  const growing = others.at(-1);
  assert.ok(first !== undefined && growing?.isGrowing === true);
  const bytes = readFileSync(join(log, first.file));
  rmSync(join(log, first.file));
  // Reading it waits until it is written.
  assert.equal(spawnSync("mkfifo", [join(log, first.file)]).status, 0);
  const reading = read({ ...site, folder: site.earlier });
  const writer = await open(join(log, first.file), "w");
  for (const { file, name } of await segmentFiles(later))
    if (name >= growing.name) cpSync(join(later, file), join(log, file));
  rmSync(join(log, growing.file));
  await writer.writeFile(bytes);
  await writer.close();
  const found = await reading;
  assert.deepEqual([found.damage, found.segments], [undefined, 3]);
});
