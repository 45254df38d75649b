import { createReadStream } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { unpackTar } from "modern-tar/fs";
import { backupsIn, type FoundBackup, readDescription } from "./backup.ts";
import { isFile } from "./take-backup.ts";

/** The folder of an archive of the log, next to the backups from which it goes on. */
export const archiveFolder = (backups: string, line: string): string => join(backups, `log-${line}`);

/**
 * Finds the backup in a folder or a file, or of a folder with several the newest one that was complete at `at`. A file is
 * unpacked into `scratch`.
 */
export async function findBackup(
  from: string,
  scratch: string,
  at?: Date,
): Promise<FoundBackup & { archive?: string }> {
  const path = resolve(from);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`There is no backup at ${path}.`);
  if (found.isFile() && isFile(path)) return await unpackInto(path, scratch);
  const backup = await readDescription(path);
  if (backup !== undefined) return withArchive({ folder: path, backup });
  const all = await backupsIn(path);
  if (all.length === 0)
    throw new Error(
      `${path} has no complete backup. A backup is a folder with a file backup.json, or a .tar file of one.`,
    );
  const fitting = all.filter(
    ({ backup: each }) => at === undefined || Date.parse(each.finished) <= at.getTime(),
  );
  const newest = fitting.at(-1);
  if (newest === undefined)
    throw new Error(
      `The oldest backup in ${path} was finished at ${all[0]?.backup.finished}; no earlier time can be restored.`,
    );
  return withArchive(newest);
}

function withArchive(found: FoundBackup): FoundBackup & { archive?: string } {
  const line = found.backup.log?.line;
  return line ? { ...found, archive: archiveFolder(dirname(found.folder), line) } : found;
}

async function unpackInto(path: string, scratch: string): Promise<FoundBackup> {
  const target = join(scratch, "unpacked");
  await mkdir(target, { recursive: true, mode: 0o700 });
  await pipeline(createReadStream(path), unpackTar(target));
  const [name = ""] = await readdir(target);
  const backup = await readDescription(join(target, name));
  if (backup === undefined) throw new Error(`${path} is not a backup: it has no backup.json.`);
  return { folder: join(target, name), backup };
}
