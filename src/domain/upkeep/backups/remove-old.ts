import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BackupSettings } from "../../../config/read-backups.ts";
import { archiveFolder, backupsIn } from "../../../db/backup/backup.ts";
import { lsnOf, segmentName } from "../../../db/backup/wal/lsn.ts";
import { removeSegmentsBefore } from "../../../db/backup/wal/segments.ts";

const DAY_MS = 86_400_000;

/**
 * Removes backups that are too old, except for the newest one, and the parts of archives that no kept backup needs. `line` is the
 * archive that goes on. Returns how many backups were removed.
 */
export async function removeOld({ to, keptDays }: BackupSettings, line?: string): Promise<number> {
  const { whole: all } = await backupsIn(to);
  const oldest = Date.now() - keptDays * DAY_MS;
  const old = all.slice(0, -1).filter(({ backup }) => Date.parse(backup.finished) < oldest);
  for (const { folder } of old) await rm(folder, { recursive: true, force: true });
  const kept = all.filter((each) => !old.includes(each)).flatMap(({ backup }) => backup.log ?? []);
  for (const name of (await readdir(to)).filter((each) => each.startsWith("log-"))) {
    const starts = kept
      .filter((log) => archiveFolder(to, log.line ?? "") === join(to, name))
      .map((log) => segmentName(log.timeline, lsnOf(log.start), log.segmentBytes));
    const [first] = starts.sort();
    if (first !== undefined) await removeSegmentsBefore(join(to, name), first);
    else if (line === undefined || archiveFolder(to, line) !== join(to, name))
      await rm(join(to, name), { recursive: true, force: true });
  }
  return old.length;
}
