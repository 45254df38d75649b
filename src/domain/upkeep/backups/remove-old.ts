import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { BackupSettings } from "../../../config/read-backups.ts";
import { archiveFolder, backupsIn, type FoundBackup } from "../../../db/backup/backup.ts";
import { isKeptInStore } from "../../../db/backup/stored-backups.ts";
import { lsnOf, segmentName } from "../../../db/backup/wal/lsn.ts";
import { removeSegmentsBefore, segmentFiles } from "../../../db/backup/wal/segments.ts";

const DAY_MS = 86_400_000;

/** Tells which files of a folder, by their paths in it, are in the store. */
export interface InStore {
  isStored(path: string): boolean;
}

interface RemoveOptions {
  /** The archive that goes on. */
  line: string | undefined;
  /** Undefined if backups stay in the folder. */
  inStore?: InStore | undefined;
  /** Of former archives, this much of the log waits for the store. */
  mostWaiting?: number;
}

/** How much of the log of an archive may wait for the store: what the server keeps for an archive, too. */
export const MOST_WAITING = 4 * 1_073_741_824;

/**
 * Removes backups that are too old, except for the newest one, and the parts of archives that no kept backup needs. With a store, also those that
 * it has, and nothing of the log that it does not have. Returns how many backups were removed.
 */
export async function removeOld(
  { to, keptDays }: Pick<BackupSettings, "to" | "keptDays">,
  { line, inStore, mostWaiting = MOST_WAITING }: RemoveOptions,
): Promise<number> {
  const { whole: all } = await backupsIn(to);
  const archives = (await readdir(to)).filter((each) => each.startsWith("log-"));
  const present = line === undefined ? undefined : basename(archiveFolder(to, line));
  const given = new Set<string>();
  // The archives before the present one, once a backup does without them.
  if (inStore !== undefined && line !== undefined && all.at(-1)?.backup.log?.line === line)
    for (const name of archives.filter((each) => each !== present))
      if ((await waitingLog(to, name, inStore)).bytes > mostWaiting) given.add(name);
  const oldest = Date.now() - keptDays * DAY_MS;
  const archiveOf = ({ backup: { log } }: FoundBackup) => basename(archiveFolder(to, log?.line ?? ""));
  const isOld = (each: FoundBackup) =>
    Date.parse(each.backup.finished) < oldest ||
    given.has(archiveOf(each)) ||
    inStore?.isStored(`${basename(each.folder)}/backup.json`) === true;
  const old = all.slice(0, -1).filter(isOld);
  for (const { folder } of old) await rm(folder, { recursive: true, force: true });
  const kept = all.filter((each) => !old.includes(each));
  for (const name of archives) {
    const logs = kept.filter((each) => archiveOf(each) === name).flatMap(({ backup }) => backup.log ?? []);
    const first = firstSegment(logs);
    const mayGo = (file: string) => inStore === undefined || inStore.isStored(`${name}/${file}`);
    if (first !== undefined) await removeSegmentsBefore(join(to, name), first, mayGo);
    else if (name !== present && (given.has(name) || (await isSent(join(to, name), mayGo))))
      await rm(join(to, name), { recursive: true, force: true });
  }
  return old.length;
}

/** The first segment that backups of one archive need; undefined if there are no backups. */
export const firstSegment = (
  logs: readonly NonNullable<FoundBackup["backup"]["log"]>[],
): string | undefined =>
  logs
    .map((log) => segmentName(log.timeline, lsnOf(log.start), log.segmentBytes))
    .sort()
    .at(0);

/** Whether all finished files of an archive may be removed. */
async function isSent(archive: string, mayGo: (file: string) => boolean): Promise<boolean> {
  const name = basename(archive);
  return (await readdir(archive)).every((file) => !isKeptInStore(`${name}/${file}`) || mayGo(file));
}

/** What an archive has that the store does not have, and since when the first of it waits. */
export async function waitingLog(
  to: string,
  archive: string,
  { isStored }: InStore,
): Promise<{ bytes: number; since: Date | undefined }> {
  let [bytes, since] = [0, Number.POSITIVE_INFINITY];
  for (const { file, isGrowing } of await segmentFiles(join(to, archive))) {
    if (isGrowing || isStored(`${archive}/${file}`)) continue;
    const found = await stat(join(to, archive, file)).catch(() => undefined);
    bytes += found?.size ?? 0;
    since = Math.min(since, found?.mtimeMs ?? since);
  }
  return { bytes, since: Number.isFinite(since) ? new Date(since) : undefined };
}
