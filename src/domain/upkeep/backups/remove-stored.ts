import { basename } from "node:path";
import type { BackupSettings } from "../../../config/read-backups.ts";
import { archiveFolder, type FoundBackup } from "../../../db/backup/backup.ts";
import type { Store, StoredFile } from "../../../db/backup/store/store.ts";
import { StoreError } from "../../../db/backup/store/store-error.ts";
import { segmentOf } from "../../../db/backup/stored-backups.ts";
import { firstSegment } from "./remove-old.ts";

const DAY_MS = 86_400_000;

interface StoredSite {
  files: readonly StoredFile[];
  /** The complete backups, the oldest first. */
  whole: readonly FoundBackup[];
  /** Whether the local folder has a folder of this name: then its files in the store are not left over. */
  isLocal: (name: string) => boolean;
  lockedDays?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Removes backups from a store that are too old, except for the newest one, the parts of archives that no kept backup needs, and what backups that
 * never arrived left. Returns the backups that are kept. What the store still protects stays.
 */
export async function removeStored(
  store: Store,
  { keptDays }: Pick<BackupSettings, "keptDays">,
  { files, whole, isLocal, lockedDays = 0, signal }: StoredSite,
): Promise<FoundBackup[]> {
  const now = Date.now();
  const remove = async (gone: readonly StoredFile[]): Promise<boolean> => {
    try {
      await store.remove(
        gone.map(({ key }) => key),
        { signal },
      );
      return true;
    } catch (error) {
      const isLocked = gone.some(({ modified }) => modified.getTime() + lockedDays * DAY_MS > now);
      if (error instanceof StoreError && !error.isTemporary && isLocked) return false;
      throw error;
    }
  };
  const inFolder = (name: string) => files.filter(({ key }) => key.startsWith(`${name}/`));
  const oldest = now - keptDays * DAY_MS;
  const removed = new Set<FoundBackup>();
  for (const found of whole.slice(0, -1)) {
    if (Date.parse(found.backup.finished) >= oldest) continue;
    const [name, all] = [basename(found.folder), inFolder(basename(found.folder))];
    const isDescription = ({ key }: StoredFile) => key === `${name}/backup.json`;
    // Without it, the rest is no backup, also if the rest cannot be removed now.
    if (!(await remove(all.filter(isDescription)))) continue;
    removed.add(found);
    await remove(all.filter((file) => !isDescription(file)));
  }
  const kept = whole.filter((each) => !removed.has(each));
  const known = new Set(
    files.filter(({ key }) => key.endsWith("/backup.json")).map(({ key }) => folderOf(key)),
  );
  const gone: StoredFile[] = [];
  for (const name of new Set(files.map(({ key }) => folderOf(key)))) {
    const all = inFolder(name);
    if (name.startsWith("log-")) {
      const logs = kept.flatMap(({ backup: { log } }) => log ?? []);
      const first = firstSegment(logs.filter(({ line }) => basename(archiveFolder("", line ?? "")) === name));
      if (first !== undefined) gone.push(...all.filter(({ key }) => (segmentOf(key) ?? first) < first));
      else if (!isLocal(name)) gone.push(...all);
    } else if (name.startsWith("leadgate-") && !known.has(name) && !isLocal(name)) {
      if (all.every(({ modified }) => modified.getTime() < oldest)) gone.push(...all);
    }
  }
  if (gone.length > 0) await remove(gone);
  return kept;
}

const folderOf = (key: string): string => key.slice(0, Math.max(0, key.indexOf("/")));
