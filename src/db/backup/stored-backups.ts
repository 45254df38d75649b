import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { archiveFolder, descriptionIn, type FoundBackup } from "./backup.ts";
import { Damaged } from "./files/damaged.ts";
import type { Store, StoredFile } from "./store/store.ts";
import { EndMark } from "./wal/archive.ts";
import { lsnOf, segmentEnd, segmentName } from "./wal/lsn.ts";

/** The description of a backup in a store. */
const DESCRIPTION = /^leadgate-[^/]+Z\/backup\.json$/;
/** A finished segment in an archive. */
const SEGMENT = /^log-[0-9a-f]+\/([0-9A-F]{24})\.zst(?:\.sealed)?$/;

/** The name of the segment that a key has, if it has one. */
export const segmentOf = (key: string): string | undefined => SEGMENT.exec(key)?.[1];

/** Whether a file of a folder of backups is sent to a store: it is complete and never changes again. */
export const isKeptInStore = (path: string): boolean =>
  /^leadgate-[^/]+Z\//.test(path) ||
  /^log-[0-9a-f]+\/(?:archive|counted-[0-9a-f]{16})\.json$/.test(path) ||
  SEGMENT.test(path);

/** Whether a file completes the backup that it belongs to. */
export const completesBackup = (path: string): boolean => DESCRIPTION.test(path);

interface Fetching {
  signal?: AbortSignal | undefined;
  /** Receives the bytes that were fetched up to now. */
  onProgress?: ((bytes: number) => void) | undefined;
}

/** Fetches the descriptions of all backups in a store into a folder; returns the files of the store. */
export async function fetchDescriptions(store: Store, folder: string): Promise<StoredFile[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files: StoredFile[] = [];
  for await (const file of store.list()) files.push(file);
  for (const { key } of files) if (DESCRIPTION.test(key)) await store.get(key, join(folder, key));
  return files;
}

/**
 * The files of a store and its complete backups, the oldest first, with the paths that they would have in a local folder. `known` are backups whose
 * descriptions are not read again.
 */
export async function storedBackups(
  store: Store,
  folder: string,
  { known, signal }: { known: readonly FoundBackup[]; signal?: AbortSignal | undefined },
): Promise<{ files: StoredFile[]; whole: FoundBackup[]; damaged: Damaged[] }> {
  const found = { files: [] as StoredFile[], whole: [] as FoundBackup[], damaged: [] as Damaged[] };
  for await (const file of store.list("", { signal })) found.files.push(file);
  for (const { key } of found.files.filter((file) => DESCRIPTION.test(file.key))) {
    const path = join(folder, dirname(key));
    const old = known.find((each) => each.folder === path);
    const text = old === undefined ? await store.readText(key, { signal }) : undefined;
    try {
      if (old !== undefined) found.whole.push(old);
      else if (text !== undefined)
        found.whole.push({
          ...{ folder: path, path: `${store.name}/${dirname(key)}` },
          backup: descriptionIn(`${store.name}/${dirname(key)}`, text),
        });
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      found.damaged.push(error);
    }
  }
  return found;
}

/**
 * Fetches a backup whose description was fetched into a folder, and what the store has of its archive from there on. Of `files`, the files of
 * the store, those are fetched that are needed.
 */
export async function fetchBackup(
  store: Store,
  files: readonly StoredFile[],
  { folder, backup }: FoundBackup,
  { signal, onProgress }: Fetching = {},
): Promise<void> {
  const parent = join(folder, "..");
  const { log } = backup;
  const archive = log?.line ? basename(archiveFolder(parent, log.line)) : undefined;
  const first = log === null ? "" : segmentName(log.timeline, lsnOf(log.start), log.segmentBytes);
  const isNeeded = (key: string) => {
    if (!isKeptInStore(key) || key.split("/").includes("..")) return false;
    if (key.startsWith(`${basename(folder)}/`)) return !DESCRIPTION.test(key);
    return archive !== undefined && key.startsWith(`${archive}/`) && (segmentOf(key) ?? first) >= first;
  };
  const needed = files.filter(({ key }) => isNeeded(key));
  let done = 0;
  for (const { key, bytes } of needed) {
    await store.get(key, join(parent, key), { signal });
    done += bytes;
    onProgress?.(done);
  }
  if (log === null || archive === undefined) return;
  const last = needed
    .flatMap(({ key }) => segmentOf(key) ?? [])
    .sort()
    .at(-1);
  const position = last === undefined ? lsnOf(log.end) : segmentEnd(last, log.segmentBytes);
  await mkdir(join(parent, archive), { recursive: true, mode: 0o700 });
  const mark = await EndMark.open(join(parent, archive));
  // The segment that grew is not there, so neither is the end of the archive: it ends with the last finished one.
  await mark.write({ position, time: null, sha256: null });
  await mark.close();
}
