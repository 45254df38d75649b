import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { packTar } from "modern-tar/fs";
import { syncFolder } from "../embedded/host/sync-folder.ts";
import {
  type Backup,
  type FoundBackup,
  folderNameOf,
  isUnfinished,
  sizeOf,
  unfinished,
  writeDescription,
} from "./backup.ts";
import { sealWith } from "./files/passphrase.ts";
import { checkRoom } from "./files/room.ts";
import { freshKey } from "./files/sealed-stream.ts";
import { endWithSum } from "./files/summed-tar.ts";
import { claimFolder, ownerOf } from "./owner.ts";
import { takeFiles } from "./take-files.ts";
import { takeRows } from "./take-rows.ts";
import { sealedKey } from "./wal/archive.ts";
import { openClient } from "./wal/client.ts";

/** What to back up: the files of a server (`url` is a superuser's), or the rows of a database. */
export interface Source {
  kind: Backup["kind"];
  url: string;
  /** The data folder of the embedded database; null for another one. */
  dataDir: string | null;
}

export interface TakeOptions {
  /** The folder in which the backup gets a folder of its own; or a file, if the name ends with `.tar`. */
  to: string;
  release: string;
  /** The keys that sign and seal; kept only with a passphrase. */
  secretKeys: readonly string[];
  /** Encrypts the backup. */
  passphrase?: string | undefined;
  /** The archive of the log that goes on from here. */
  line?: string | undefined;
  kilobytesPerSecond?: number | undefined;
  onProgress?: ((bytes: number) => void) | undefined;
  /** Stops it; its reason is thrown. */
  signal?: AbortSignal;
}

/** A backup that was made, and where it is. */
export interface TakenBackup extends FoundBackup {
  bytes: number;
}

/** Whether the target of a backup is a file. */
export const isFile = (to: string): boolean => extname(to) === ".tar";

/** Makes a backup of a running database. It gets its final name when it is complete; what fails leaves nothing behind. */
export async function takeBackup({ kind, url, dataDir }: Source, options: TakeOptions): Promise<TakenBackup> {
  const started = new Date();
  const to = resolve(options.to);
  const parent = isFile(to) ? dirname(to) : to;
  await mkdir(parent, { recursive: true, mode: 0o700 });
  if (isFile(to) && existsSync(to)) throw new Error(`${to} exists already; a backup never replaces a file.`);
  await checkRoom(parent);
  if (!isFile(to)) await claimFolder(parent, await ownerOf(url, dataDir));
  const { passphrase, secretKeys } = options;
  const key = passphrase === undefined ? null : freshKey();
  const final = join(parent, folderNameOf(started));
  const folder = unfinished(final);
  await mkdir(folder, { mode: 0o700 });
  const full = new AbortController();
  const watching = setInterval(() => checkRoom(parent).catch((error) => full.abort(error)), ROOM_MS);
  try {
    const { onProgress, kilobytesPerSecond } = options;
    const signal = AbortSignal.any([full.signal, ...(options.signal ? [options.signal] : [])]);
    const following = { onProgress, signal, key };
    const contents =
      kind === "files"
        ? await takeFiles(url, folder, { ...following, kilobytesPerSecond, line: options.line ?? null })
        : await takeRows(url, folder, following);
    const keys = passphrase === undefined ? null : await sealWith(passphrase, JSON.stringify(secretKeys));
    const backup: Backup = {
      format: 2,
      kind,
      release: options.release,
      ...(await stateOf(url)),
      started: started.toISOString(),
      finished: new Date().toISOString(),
      secretKeys: keys,
      key: await sealedKey(key, passphrase),
      ...contents,
    };
    await writeDescription(folder, backup);
    if (isFile(to)) {
      await pack(folder, basename(final), to);
      return { folder: to, path: to, backup, bytes: (await stat(to)).size };
    }
    await rename(folder, final);
    await syncFolder(parent);
    return { folder: final, path: final, backup, bytes: sizeOf(backup) };
  } catch (error) {
    throw full.signal.aborted ? full.signal.reason : error;
  } finally {
    clearInterval(watching);
    await rm(folder, { recursive: true, force: true });
  }
}

const ROOM_MS = 1_000;

/** The server's version, and the migrations that its database has. */
async function stateOf(url: string): Promise<Pick<Backup, "postgres" | "migrations">> {
  const client = await openClient(url);
  try {
    const { rows } = await client.query<{ postgres: string; migrations: string[] }>(
      `SELECT current_setting('server_version') AS postgres,
         (SELECT array_agg(name ORDER BY name) FROM leadgate.migration) AS migrations`,
    );
    return { postgres: rows[0]?.postgres ?? "", migrations: rows[0]?.migrations ?? [] };
  } finally {
    await client.end();
  }
}

/** Packs the folder of a backup into one file, under the folder's final name. */
async function pack(folder: string, name: string, to: string): Promise<void> {
  const partial = unfinished(to);
  try {
    await pipeline(
      packTar([{ type: "directory", source: folder, target: name }]),
      endWithSum(),
      createWriteStream(partial, { mode: 0o600, flush: true }),
    );
    await rename(partial, to);
    await syncFolder(dirname(to));
  } finally {
    await rm(partial, { force: true });
  }
}

/** Removes what backups that were killed left in a folder; returns how many. */
export async function removeUnfinished(folder: string): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter(isUnfinished);
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
  return names.length;
}
