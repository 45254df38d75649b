import type { BackupSettings } from "../../../config/read-backups.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import type { BackupState } from "../../operation/service/backup-state.ts";
import type { Service } from "../../operation/service/service.ts";
import { nextAt } from "./due.ts";

/** What the last instance that makes backups wrote about them, for every instance to read. */
export interface SavedBackups extends Pick<BackupState, "last" | "failure" | "archivedUntil"> {
  to: string;
  keptDays: number;
  next: string;
  isLogArchived: boolean;
}

/** Writes the state of the regular backups into the database. */
export async function saveState({ db, backups }: Service, settings: BackupSettings): Promise<void> {
  const { last, failure, archivedUntil } = backups;
  const saved: SavedBackups = {
    ...{ last, failure, archivedUntil, to: settings.to, keptDays: settings.keptDays },
    next: nextAt(new Date(), settings.at).toISOString(),
    isLogArchived: settings.log,
  };
  await db.query(
    `INSERT INTO service_state (key, value) VALUES ('backups', $1)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [JSON.stringify(saved)],
  );
}

/** Reads what was written about the regular backups; undefined if none were ever made or tried. */
export async function savedBackups(db: Queryable): Promise<SavedBackups | undefined> {
  const [row] = await db.query<{ value: string }>("SELECT value FROM service_state WHERE key = 'backups'");
  return row === undefined ? undefined : (JSON.parse(row.value) as SavedBackups);
}
