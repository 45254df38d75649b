import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readChecked, valueIn, writeChecked } from "./files/checked-file.ts";
import { Damaged } from "./files/damaged.ts";
import type { BackupFile } from "./files/packed-file.ts";
import type { Sealed } from "./files/passphrase.ts";
import type { TableFigures } from "./table-figures.ts";

/** The description of a backup, in the file `backup.json` that is written last: without it a backup is not complete. */
export interface Backup {
  /** 1 until release 0.2: without a checksum of this file, never encrypted. */
  format: 1 | 2;
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
  /** The key of its files, sealed by the passphrase; null if they are not encrypted. Format 1 lacks it. */
  key?: Sealed | null;
  /** How much room the files take when they are restored, without the log. Format 1 lacks it. */
  restoredBytes?: number;
  /** Where the files stand in the log of the server; only for `files`. */
  log: LogPlace | null;
  /** The next values of sequences; only for `rows`. */
  sequences: Record<string, string> | null;
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
  /** Where people find it: the folder, or the .tar file that was unpacked into it. */
  path: string;
  backup: Backup;
}

/** The folder of an archive of the log, next to the backups from which it goes on. */
export const archiveFolder = (backups: string, line: string): string => join(backups, `log-${line}`);

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
export const writeDescription = (folder: string, backup: Backup): Promise<void> =>
  writeChecked(join(folder, FILE), backup);

/** Reads the description of the backup in a folder; undefined if there is none. Throws `Damaged` if it is not as it was written. */
export async function readDescription(folder: string): Promise<Backup | undefined> {
  const backup = await readChecked<Backup>(join(folder, FILE), isOlder);
  return backup && known(folder, backup);
}

/** Reads the text of a description; throws as `readDescription` does. */
export const descriptionIn = (folder: string, text: string): Backup =>
  known(folder, valueIn(`${folder}/${FILE}`, text, isOlder));

const isOlder = ({ format }: Backup): boolean => format === 1;

function known(folder: string, backup: Backup): Backup {
  if (backup.format === 1 || backup.format === 2) return backup;
  throw new Error(
    `${folder} has a backup of the format ${backup.format}, which a newer release of Leadgate made; restore it with that release.`,
  );
}

/** The complete backups in a folder, the oldest first, and those whose description is damaged. Throws if there is no folder. */
export async function backupsIn(folder: string): Promise<{ whole: FoundBackup[]; damaged: DamagedBackup[] }> {
  const names = await readdir(folder);
  const found = { whole: [] as FoundBackup[], damaged: [] as DamagedBackup[] };
  for (const name of names.filter((each) => each.startsWith(PREFIX) && !isUnfinished(each)).sort()) {
    const path = join(folder, name);
    try {
      const backup = await readDescription(path);
      if (backup !== undefined) found.whole.push({ folder: path, path, backup });
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      found.damaged.push({ folder: path, error });
    }
  }
  return found;
}

/** A backup that cannot be restored, because its description is damaged. */
interface DamagedBackup {
  folder: string;
  error: Damaged;
}
