import { hostname } from "node:os";
import { type BackupSettings, placeOf } from "../../../config/read-backups.ts";
import { type FoundBackup, sizeOf } from "../../../db/backup/backup.ts";
import type { BackupState, Failure, StoreState } from "../../operation/service/backup-state.ts";
import type { Service } from "../../operation/service/service.ts";

/** What an instance reports about the regular backups that it makes. */
export interface BackupReport {
  /** The time of day of the backups, such as `02:00`, and its time zone. */
  at: string;
  zone: string;
  keptDays: number;
  /** The newest backups, the newest first, and how many there are in all. */
  backups: ReportedBackup[];
  count: number;
  /** Whether the log is archived, and from when to when any time can be restored with it. */
  log: boolean;
  archivedFrom: string | null;
  archivedUntil: string | null;
  /** The last attempt, if it failed. */
  failed: Failure | null;
  /** Why the log is not archived at the moment. Releases before 0.3 do not report this and what follows. */
  archiveFailed?: Failure | null;
  /** When a backup and its archive were restored and compared for the last time, and why the last attempt failed. */
  verified?: string | null;
  verifyFailed?: Failure | null;
  /** Whether backups are on the disk that has the data. */
  isOnSameDisk?: boolean;
  /** How far the store is behind; absent without one. */
  store?: ReportedStore;
}

interface ReportedStore {
  /** The longest that a file took to arrive in the last 24 hours, or waits now, in seconds; null if none did. */
  greatestDelay: number | null;
  /** What is not in the store; null until it was compared. */
  waitingBytes: number | null;
  failed: Failure | null;
  /** When a file arrived or nothing waited for the last time. */
  arrived?: string;
}

interface ReportedBackup {
  name: string;
  finished: string;
  bytes: number;
  kind: "files" | "rows";
  release: string;
  /** Whether it has the secret key, sealed by the passphrase. */
  hasKey: boolean;
  isEncrypted?: boolean;
}

/** How many backups a report lists. */
const LISTED = 31;

const REPORT = `INSERT INTO backup_report (host, folder, report) VALUES ($1, $2, $3)
  ON CONFLICT (host, folder) DO UPDATE SET report = excluded.report, reported_at = moment()`;

/** Tells owners of the instance, at whichever instance they look, about the regular backups of this one. */
export async function reportBackups(
  { db }: Pick<Service, "db">,
  settings: BackupSettings,
  found: readonly FoundBackup[],
  { archivedUntil, failed, archiveFailed, verified, verifyFailed, isOnSameDisk, store }: BackupState,
): Promise<void> {
  const { to, at, keptDays, log } = settings;
  const report: BackupReport = {
    at: `${String(at.hour).padStart(2, "0")}:${String(at.minute).padStart(2, "0")}`,
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...{ keptDays, log },
    backups: found
      .slice(-LISTED)
      .reverse()
      .map(({ folder, backup }) => ({
        name: folder.slice(to.length + 1),
        ...{ finished: backup.finished, kind: backup.kind, release: backup.release },
        bytes: sizeOf(backup),
        hasKey: backup.secretKeys !== null,
        isEncrypted: Boolean(backup.key),
      })),
    count: found.length,
    archivedFrom: archivedFrom(found),
    archivedUntil: archivedUntil ?? null,
    failed: failed ?? null,
    archiveFailed: archiveFailed ?? null,
    verified: verified ?? null,
    verifyFailed: verifyFailed ?? null,
    isOnSameDisk,
    ...(store === undefined ? {} : { store: reportedStore(store) }),
  };
  await db.query(REPORT, [hostname(), placeOf(settings), JSON.stringify(report)]);
}

const reportedStore = ({ greatestDelay, waitingBytes, failed, arrived }: StoreState): ReportedStore => ({
  ...{ greatestDelay: greatestDelay ?? null, waitingBytes: waitingBytes ?? null, failed: failed ?? null },
  arrived,
});

const ARRIVED = `SELECT report -> 'store' ->> 'arrived' AS arrived FROM backup_report
  WHERE folder = $1 ORDER BY reported_at DESC LIMIT 1`;

/** When a file arrived in the store for the last time, by the newest report of any instance; undefined if none says so. */
export async function reportedArrival(
  { db }: Pick<Service, "db">,
  settings: BackupSettings,
): Promise<Date | undefined> {
  const [row] = await db.query<{ arrived: string | null }>(ARRIVED, [placeOf(settings)]);
  return row?.arrived ? new Date(row.arrived) : undefined;
}

/** Deletes reports of instances that ended long ago. */
export async function forgetReports({ db }: Service): Promise<void> {
  await db.query("DELETE FROM backup_report WHERE reported_at < moment() - interval '7 days'");
}

/** When the oldest backup was complete that the present archive goes on from. */
function archivedFrom(found: readonly FoundBackup[]): string | null {
  const line = found.at(-1)?.backup.log?.line;
  if (line === undefined || line === null) return null;
  return found.find(({ backup }) => backup.log?.line === line)?.backup.finished ?? null;
}
