import { mkdir, readdir, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { unpackTar } from "modern-tar/fs";
import { makeDataDir } from "../embedded/host/data-dir.ts";
import { chooseRunAs, type RootStrategy } from "../embedded/host/run-as.ts";
import { syncFolder } from "../embedded/host/sync-folder.ts";
import { clusterOf } from "../embedded/server/cluster.ts";
import { readPasswords } from "../embedded/server/passwords.ts";
import { recover, type Target } from "../embedded/server/recover.ts";
import type { FoundBackup } from "./backup.ts";
import { checkFile, unpacked } from "./files/packed-file.ts";
import { findLog, type LogSources, type ReadLog, readLog } from "./read-log.ts";
import { BASE } from "./take-files.ts";
import { openedKey } from "./wal/archive.ts";
import { lsnText } from "./wal/lsn.ts";

export interface RestoreOptions {
  /** A folder that does not exist; it becomes a data folder. */
  dataDir: string;
  passphrase: string | undefined;
  /** Where to stop. `counted` chooses a restore point of the log; the log behind it is read, too. */
  target: { time: Date } | "end" | { counted: (log: ReadLog) => Promise<string | undefined> };
  /** Restores a damaged log up to where it is whole, instead of refusing it. */
  asFarAsPossible?: boolean;
  rootStrategy?: RootStrategy;
  /** The folder of a system's PostgreSQL that applies the log, instead of the one that comes along. */
  pgBin?: string | undefined;
  /** Settings of the PostgreSQL that applies the log. */
  settings?: Readonly<Record<string, string>>;
}

/** What a restore reached. */
export interface Restored {
  /** When the last transaction ended that is there; the beginning of the backup if there was none after it. */
  restoredTo: string;
  /** Everything that was committed at this time is there; null if nothing says so. */
  completeUntil: string | null;
  /** How many seconds are missing behind `restoredTo`; null if nothing is missing or it is not known how much. */
  missingSeconds: number | null;
  /** What is missing, if something is. */
  missing: string | null;
  log: ReadLog;
  /** Checks that this backup cannot have, because an older release made it. */
  unchecked: string[];
}

/**
 * Makes a data folder for the embedded server of a backup of files and of the log behind it. Throws if the log is not
 * whole up to the target.
 */
export async function restoreFiles(found: FoundBackup, options: RestoreOptions): Promise<Restored> {
  const { folder, path, backup } = found;
  const { dataDir, passphrase, target, rootStrategy = "auto", pgBin, settings = {} } = options;
  if (backup.log === null) throw new Error(`${path} is not a backup of files.`);
  const key = await openedKey(backup.key, passphrase);
  const sources = await findLog({ folder, backup, key }, passphrase);
  await makeDataDir(dataDir);
  const bare = clusterOf(dataDir);
  const runAs = await chooseRunAs(dataDir, bare.folder, rootStrategy, pgBin);
  const [theirs, ours] = [backup.postgres, runAs.binaries.version].map((version) => version.split(".")[0]);
  if (theirs !== ours) throw otherMajor(theirs ?? "", ours ?? "");
  for (const file of backup.files) await checkFile(folder, file);
  // Before the files, because it is read sooner: a damaged log is refused within seconds.
  const segments = join(dataDir, "log");
  await mkdir(segments, { mode: 0o700 });
  const time = typeof target === "object" && "time" in target ? target.time : undefined;
  const log = await readLog(backup.log, sources, { until: time, target: segments });
  const end = endOf(log, sources, { ...options, time });
  const cluster = { ...bare, settings, passwords: await readPasswords(dataDir, { create: true }) };
  await mkdir(cluster.folder, { mode: 0o700 });
  await pipeline(
    unpacked(join(folder, BASE), key),
    unpackTar(cluster.folder, { fmode: 0o600, dmode: 0o700 }),
  );
  for (const name of await readdir(segments))
    await rename(join(segments, name), join(cluster.folder, "pg_wal", name));
  await rmdir(segments);
  const point = typeof target === "object" && "counted" in target ? await target.counted(log) : undefined;
  const stop: Target =
    point !== undefined ? { point } : end.isAtTime && time !== undefined ? { time } : "end";
  const reached = await recover(cluster, runAs, stop);
  if (point === undefined && reached.time?.getTime() !== millisecondsOf(log))
    throw new Error(
      `PostgreSQL stopped at ${reached.time?.toISOString() ?? "the beginning"}, and the log is whole up to ${lsnText(log.whole.end)}; ${cluster.logFile} says why.`,
    );
  await syncFolder(dataDir);
  const restoredTo = (reached.time ?? new Date(backup.started)).toISOString();
  const unchecked =
    backup.format > 1 ? sources.unchecked : ["the checksum of backup.json", ...sources.unchecked];
  return { restoredTo, ...end, log, unchecked };
}

/** When the last transaction of a log ended; PostgreSQL cuts off microseconds where it prints times. */
const millisecondsOf = ({ whole }: ReadLog): number | undefined =>
  whole.lastTime === undefined ? undefined : Math.floor(whole.lastTime / 1_000);

type End = Pick<Restored, "completeUntil" | "missingSeconds" | "missing"> & { isAtTime: boolean };

/** What can be said about the end of a restore; throws if less is there than was asked for, and that was not allowed. */
function endOf(
  log: ReadLog,
  { archive }: LogSources,
  { time, asFarAsPossible }: { time: Date | undefined; asFarAsPossible?: boolean },
): End {
  const nothing = { missingSeconds: null, missing: null };
  if (time !== undefined && log.isPassed)
    return { ...nothing, isAtTime: true, completeUntil: time.toISOString() };
  const isWhole =
    log.damage === undefined && (time === undefined || (log.until !== undefined && log.until >= time));
  const until = time ?? log.until;
  if (isWhole) return { ...nothing, isAtTime: false, completeUntil: until?.toISOString() ?? null };
  const last = millisecondsOf(log);
  const wholeUntil = last === undefined ? "the end of the backup" : new Date(last).toISOString();
  const reason = log.damage ?? new Error(`The log of this backup ends before ${time?.toISOString()}.`);
  const missing = `${reason.message} Everything up to ${wholeUntil} is whole.`;
  if (asFarAsPossible !== true) {
    throw new Error(
      `${missing} Add --as-far-as-possible to restore that, or name an earlier time with --to.`,
      {
        cause: reason,
      },
    );
  }
  const wanted = (time ?? archive?.end?.time)?.getTime();
  const missingSeconds =
    wanted === undefined || last === undefined ? null : Math.max(0, Math.ceil((wanted - last) / 1_000));
  return { isAtTime: false, completeUntil: null, missingSeconds, missing };
}

const otherMajor = (theirs: string, ours: string): Error =>
  new Error(
    `The backup has files of PostgreSQL ${theirs}, which PostgreSQL ${ours} cannot read. With the release that made it, make a backup ` +
      "of rows (leadgate backup --rows --to …), and restore that.",
  );
