import { createReadStream } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { unpackTar } from "modern-tar/fs";
import { archiveFolder, backupsIn, type FoundBackup, readDescription } from "./backup.ts";
import { Damaged } from "./files/damaged.ts";
import { hasRightSum } from "./files/summed-tar.ts";
import { isFile } from "./take-backup.ts";
import { readEnd } from "./wal/archive.ts";
import { lsnOf } from "./wal/lsn.ts";

/**
 * Finds the backup in a folder or a file, or of a folder with several the newest one that was complete at `at`. A file is
 * unpacked into `scratch`.
 */
export async function findBackup(from: string, scratch: string, at?: Date): Promise<FoundBackup> {
  const path = resolve(from);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`There is no backup at ${path}.`);
  if (found.isFile() && isFile(path)) return await unpackInto(path, scratch);
  if (!found.isDirectory()) throw noBackup(path);
  const backup = await readDescription(path);
  if (backup !== undefined) return { folder: path, path, backup };
  const { whole, damaged } = await backupsIn(path);
  if (whole.length + damaged.length === 0) throw noBackup(path);
  const fitting = whole.filter(
    ({ backup: each }) => at === undefined || Date.parse(each.finished) <= at.getTime(),
  );
  const newest = fitting.at(-1);
  // A folder's name has the time at which its backup began.
  const wanted = damaged.findLast(({ folder }) => newest === undefined || folder > newest.folder);
  if (wanted !== undefined && newest === undefined) throw wanted.error;
  if (wanted !== undefined && at === undefined)
    throw new Error(
      `${wanted.error.message} To use the newest one that is whole, name it: --from ${newest?.folder}.`,
    );
  if (newest === undefined)
    throw new Error(
      `The oldest backup in ${path} was finished at ${whole[0]?.backup.finished}; no earlier time can be restored.`,
    );
  return await furthest(newest, fitting);
}

/** Of the newest backup and the newest one with an archive the one that goes further: one that was made by hand has no archive. */
async function furthest(newest: FoundBackup, all: readonly FoundBackup[]): Promise<FoundBackup> {
  const { log } = newest.backup;
  if (log?.line !== null) return newest;
  const archived = all.findLast(({ backup }) => backup.log?.line);
  const line = archived?.backup.log?.line;
  if (archived === undefined || !line) return newest;
  const end = await readEnd(archiveFolder(dirname(archived.folder), line)).catch(() => undefined);
  const isSameLog = log.timeline === archived.backup.log?.timeline;
  return end !== undefined && isSameLog && end.position > lsnOf(log.end) ? archived : newest;
}

const noBackup = (path: string): Error =>
  new Error(
    `${path} has no complete backup. A backup is a folder with a file backup.json, or a .tar file of one.`,
  );

async function unpackInto(path: string, scratch: string): Promise<FoundBackup> {
  const hasSum = await hasRightSum(path);
  const target = join(scratch, "unpacked");
  await mkdir(target, { recursive: true, mode: 0o700 });
  await pipeline(createReadStream(path), unpackTar(target)).catch((cause: NodeJS.ErrnoException) => {
    // ENOSPC and the like name their file.
    throw cause.code === undefined
      ? new Damaged(`${path} is cut off or not as it was written.`, { cause })
      : cause;
  });
  const [name = ""] = await readdir(target);
  const folder = join(target, name);
  const backup = await readDescription(folder).catch((error: Error) => {
    throw error instanceof Damaged ? new Damaged(`backup.json in ${path} is not as it was written.`) : error;
  });
  if (backup === undefined) throw noBackup(path);
  if (!hasSum && backup.format > 1) throw new Damaged(`${path} is cut off or not as it was written.`);
  return { folder, path, backup };
}
