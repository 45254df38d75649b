import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../embedded/host/sync-folder.ts";
import type { Sealed } from "./passphrase.ts";
import type { TableFigures } from "./table-figures.ts";

/** The description of a backup, in the file `backup.json` that is written last: without it a backup is not complete. */
export interface Backup {
  format: 1;
  /** `files`: the files of the embedded server and its log; `rows`: the rows of every table. */
  kind: "files" | "rows";
  /** The release of Leadgate that made it, and the version of its PostgreSQL. */
  release: string;
  postgres: string;
  started: string;
  finished: string;
  /** The migrations that its database has. */
  migrations: string[];
  files: BackupFile[];
  /** Each table with its rows and checksum; null if they could not be counted while the service was writing. */
  tables: Record<string, TableFigures> | null;
  /** The secret keys; null if no passphrase was given. */
  secretKeys: Sealed | null;
  /** Where the files stand in the log of the server; only for `files`. */
  log: LogPlace | null;
  /** The next values of sequences; only for `rows`. */
  sequences: Record<string, string> | null;
}

export interface BackupFile {
  name: string;
  bytes: number;
  sha256: string;
}

export interface LogPlace {
  /** The archive of the log that goes on from here; null if none was kept. */
  line: string | null;
  timeline: number;
  segmentBytes: number;
  start: string;
  end: string;
  /** The restore point at which `tables` was counted. */
  point: string | null;
}

/** A complete backup and its folder. */
export interface FoundBackup {
  folder: string;
  backup: Backup;
}

const FILE = "backup.json";
const PREFIX = "leadgate-";

/** The folder name of a backup that began at a time, such as `leadgate-2026-11-26T02-00-00Z`. */
export const folderNameOf = (started: Date): string =>
  `${PREFIX}${started.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;

/** What the folder of a backup is called until the backup is complete. */
export const unfinished = (folder: string): string => `${folder}.partial`;

/** Whether a folder's name is that of a backup that was never completed. */
export const isUnfinished = (name: string): boolean => name.startsWith(PREFIX) && name.endsWith(".partial");

/** The bytes of all files of a backup. */
export const sizeOf = ({ files }: Pick<Backup, "files">): number =>
  files.reduce((sum, file) => sum + file.bytes, 0);

/** Writes the description of a backup so that it survives a power failure. */
export async function writeDescription(folder: string, backup: Backup): Promise<void> {
  const file = await open(join(folder, FILE), "w", 0o600);
  await file.writeFile(`${JSON.stringify(backup, undefined, 2)}\n`);
  await file.sync();
  await file.close();
  await syncFolder(folder);
}

/** Reads the description of the backup in a folder; undefined if there is none. */
export async function readDescription(folder: string): Promise<Backup | undefined> {
  const text = await readFile(join(folder, FILE), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const backup = JSON.parse(text) as Backup;
  if (backup.format === 1) return backup;
  throw new Error(
    `${folder} has a backup of the format ${backup.format}, which a newer release of Leadgate made; restore it with that release.`,
  );
}

/** The complete backups in a folder, the oldest first. */
export async function backupsIn(folder: string): Promise<FoundBackup[]> {
  const names = await readdir(folder).catch(() => []);
  const found: FoundBackup[] = [];
  for (const name of names.filter((each) => each.startsWith(PREFIX) && !isUnfinished(each)).sort()) {
    const path = join(folder, name);
    const backup = await readDescription(path);
    if (backup !== undefined) found.push({ folder: path, backup });
  }
  return found;
}
