import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { unpackTar } from "modern-tar/fs";
import { chooseRunAs, type RootStrategy } from "../embedded/host/run-as.ts";
import { syncFolder } from "../embedded/host/sync-folder.ts";
import { clusterOf } from "../embedded/server/cluster.ts";
import { readPasswords } from "../embedded/server/passwords.ts";
import { recover, type Target } from "../embedded/server/recover.ts";
import type { FoundBackup, LogPlace } from "./backup.ts";
import { checkFile, unpacked } from "./packed-file.ts";
import { BASE, LOG } from "./take-files.ts";
import { lsnOf, segmentEnd, segmentName } from "./wal/lsn.ts";
import { allSegments, readSegment } from "./wal/segments.ts";

export interface RestoreOptions {
  /** A folder that does not exist; it becomes a data folder. */
  dataDir: string;
  /** The folder of the archive in which the log goes on behind the backup. */
  archive?: string | undefined;
  target: Target;
  rootStrategy?: RootStrategy;
}

/**
 * Makes a data folder for the embedded server of a backup of files and of the log behind it. Returns the time of the last transaction that
 * was applied from the log; undefined if there was none.
 */
export async function restoreFiles(
  { folder, backup }: FoundBackup,
  { dataDir, archive, target, rootStrategy = "auto" }: RestoreOptions,
): Promise<string | undefined> {
  if (backup.log === null) throw new Error(`${folder} is not a backup of files.`);
  await mkdir(dataDir, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const bare = clusterOf(dataDir);
  const runAs = await chooseRunAs(dataDir, bare.folder, rootStrategy);
  const [theirs, ours] = [backup.postgres, runAs.binaries.version].map((version) => version.split(".")[0]);
  if (theirs !== ours) throw otherMajor(theirs ?? "", ours ?? "");
  for (const file of backup.files) await checkFile(folder, file);
  const cluster = { ...bare, passwords: await readPasswords(dataDir, { create: true }) };
  await mkdir(cluster.folder, { mode: 0o700 });
  await pipeline(unpacked(join(folder, BASE)), unpackTar(cluster.folder, { fmode: 0o600, dmode: 0o700 }));
  await putLog(join(cluster.folder, "pg_wal"), backup.log, [
    join(folder, LOG),
    ...(archive ? [archive] : []),
  ]);
  await recover(cluster, runAs, target);
  await syncFolder(dataDir);
  const words = await readFile(cluster.logFile, "utf8");
  const [, day, time] = /last completed transaction was at log time (\S+) (\S+)\+00/.exec(words) ?? [];
  return day === undefined ? undefined : new Date(`${day}T${time}Z`).toISOString();
}

/** Writes the log from the beginning of a backup on, from several folders, as far as no segment is missing. */
async function putLog(target: string, log: LogPlace, folders: readonly string[]): Promise<void> {
  const sources = new Map<string, string>();
  // A later folder wins: the archive may have all of a segment of which the backup has the beginning.
  for (const folder of folders) for (const name of await allSegments(folder)) sources.set(name, folder);
  const { timeline, segmentBytes } = log;
  for (let at = lsnOf(log.start); ; ) {
    const name = segmentName(timeline, at, segmentBytes);
    const source = sources.get(name);
    if (source === undefined) break;
    await writeFile(join(target, name), await readSegment(source, name, segmentBytes), { mode: 0o600 });
    at = segmentEnd(name, segmentBytes);
  }
}

const otherMajor = (theirs: string, ours: string): Error =>
  new Error(
    `The backup has files of PostgreSQL ${theirs}, which PostgreSQL ${ours} cannot read. With the release that made it, make a backup ` +
      "of rows (leadgate backup --rows --to …), and restore that.",
  );
