import { dirname, join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../embedded/index.ts";
import { archiveFolder, backupsIn, type FoundBackup, sizeOf } from "./backup.ts";
import { newestCount } from "./counted.ts";
import { checkFile } from "./files/packed-file.ts";
import { WrongPassphrase } from "./files/passphrase.ts";
import { checkRoomToVerify } from "./files/room.ts";
import { findLog, type ReadLog, readLog } from "./read-log.ts";
import { restoreFiles } from "./restore-files.ts";
import { restoreRows } from "./restore-rows.ts";
import { differences, figuresOf, type TableFigures, tableNames } from "./table-figures.ts";
import { ROW_SCHEMAS } from "./take-rows.ts";
import { openedKey } from "./wal/archive.ts";
import { lsnOf, segmentName } from "./wal/lsn.ts";
import { segmentFiles } from "./wal/segments.ts";

/** What a verification found. */
export interface Verified {
  tables: number;
  rows: number;
  /** The time of the last transaction before the position at which the tables were compared; null for a backup of rows. */
  comparedAt: string | null;
  /** False if the tables could not be counted when the backup was made: then it was only restored. */
  isCompared: boolean;
  /** A line for each table that is not as it was. */
  differences: string[];
  /** Until when everything can be restored; null if there is no archive, or if it does not say so. */
  restorableUntil: string | null;
  /** The time of the last transaction in the log; null if it has none. */
  lastTransaction: string | null;
  /** How many segments of the log were read, record by record. */
  segments: number;
  /** Checks that this backup cannot have, because an older release made it. */
  unchecked: string[];
}

/** With what a backup is verified. */
interface VerifyWith {
  /** The folder into which it is restored. */
  scratch: string;
  passphrase: string | undefined;
  /** The folder of a system's PostgreSQL, instead of the one that comes along. */
  pgBin: string | undefined;
}

/** Memory and connections of the server into which a backup is restored to be verified. */
const SMALL = {
  shared_buffers: "32MB",
  work_mem: "8MB",
  maintenance_work_mem: "32MB",
  max_connections: "10",
  max_parallel_workers: "0",
  io_method: "sync",
  autovacuum: "off",
  // Nothing of it is kept.
  fsync: "off",
  max_wal_size: "256MB",
};

/**
 * Restores a backup and its archive into a server of its own, up to the newest position at which the tables were counted,
 * and compares the rows and checksum of every table. Reads the log behind that position, too. Throws `Damaged` if something
 * is not as it was written.
 */
export async function verifyBackup(
  found: FoundBackup,
  { scratch, passphrase, pgBin }: VerifyWith,
): Promise<Verified> {
  const { folder, backup } = found;
  const dataDir = join(scratch, "data");
  await checkRoomToVerify(scratch, await restoredSize(found));
  let expected = backup.tables;
  let isCounted = backup.tables !== null;
  const restored =
    backup.kind === "rows"
      ? undefined
      : await restoreFiles(found, {
          ...{ dataDir, pgBin, passphrase, settings: SMALL },
          target: {
            counted: async ({ whole }) => {
              const line = backup.log?.line;
              const count = line
                ? await newestCount(archiveFolder(dirname(folder), line), whole.end)
                : undefined;
              expected = count?.tables ?? expected;
              isCounted = count !== undefined || backup.log?.point !== null;
              return count?.name ?? backup.log?.point ?? undefined;
            },
          },
        });
  const server = await startEmbedded({ dataDir, pgBin, settings: SMALL });
  try {
    if (backup.kind === "rows") await restoreRows(server.url, found, { isMarked: false, passphrase });
    const figures = await countAll(server.superuserUrl, backup.kind === "rows" ? ROW_SCHEMAS : undefined);
    return {
      tables: Object.keys(figures).length,
      rows: Object.values(figures).reduce((sum, each) => sum + each.rows, 0),
      comparedAt: restored?.restoredTo ?? null,
      isCompared: isCounted,
      differences: expected === null || !isCounted ? [] : differences(expected, figures),
      restorableUntil: restored?.completeUntil ?? null,
      lastTransaction: lastOf(restored?.log),
      segments: restored?.log.segments ?? 0,
      unchecked: restored?.unchecked ?? [],
    };
  } finally {
    await server.stop();
  }
}

const lastOf = (log: ReadLog | undefined): string | null =>
  log?.whole.lastTime === undefined ? null : new Date(Math.floor(log.whole.lastTime / 1_000)).toISOString();

/** About how much room a backup needs when it is restored: its files, all of its log, and a tenth more. */
async function restoredSize({ folder, backup }: FoundBackup): Promise<number> {
  const { log } = backup;
  const archived = log?.line ? await segmentFiles(archiveFolder(dirname(folder), log.line)) : [];
  const first = log === null ? "" : segmentName(log.timeline, lsnOf(log.start), log.segmentBytes);
  const segments = archived.filter(({ name }) => name >= first).length * (log?.segmentBytes ?? 0);
  // Format 1 does not say how large its files are without compression.
  return (backup.restoredBytes ?? 5 * sizeOf(backup)) * 1.1 + segments;
}

async function countAll(
  url: string,
  schemas: readonly string[] | undefined,
): Promise<Record<string, TableFigures>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await figuresOf(client, await tableNames(client, schemas));
  } finally {
    await client.end();
  }
}

/**
 * Throws `Damaged` unless the other backups in the folder of a backup are as they were written, with the archives behind them. Returns how many there
 * are, and what could not be checked.
 */
export async function checkOthers(
  { folder }: FoundBackup,
  passphrase: string | undefined,
): Promise<{ count: number; unchecked: string[] }> {
  const { whole, damaged } = await backupsIn(dirname(folder));
  if (damaged[0] !== undefined) throw damaged[0].error;
  const [lines, unchecked] = [new Set<string>(), [] as string[]];
  const others = whole.filter((each) => each.folder !== folder);
  for (const each of others) {
    const { backup } = each;
    for (const file of backup.files) await checkFile(each.folder, file);
    const line = backup.log?.line;
    if (backup.log === null || !line || lines.has(line)) continue;
    // From the oldest backup of an archive on, so that each archive is read once.
    lines.add(line);
    try {
      const key = await openedKey(backup.key, passphrase);
      const { damage } = await readLog(backup.log, await findLog({ ...each, key }, passphrase));
      if (damage !== undefined) throw damage;
    } catch (error) {
      if (!(error instanceof WrongPassphrase)) throw error;
      unchecked.push(`${archiveFolder(dirname(folder), line)}, which is encrypted with another passphrase`);
    }
  }
  return { count: others.length, unchecked };
}
