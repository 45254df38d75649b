import { Refusal } from "../../../core/refusal.ts";
import { personOperation } from "../../operation/callers.ts";
import type { BackupReport } from "./report.ts";

/** The backups that one instance makes in one folder. */
export interface BackupPlace {
  host: string;
  folder: string;
  report: BackupReport;
  reportedAt: Date;
  /** Whether its instance reports regularly. It does so twice a minute. */
  isCurrent: boolean;
}

// A container has another name after each restart, so a folder is shown once if an instance reports about it now.
const READ = `SELECT p.owns_instance AS "ownsInstance", r.host, r.folder, r.report, r.reported_at AS "reportedAt",
    r.reported_at > moment() - interval '5 minutes' AS "isCurrent"
  FROM person p LEFT JOIN backup_report r ON p.owns_instance AND (r.reported_at > moment() - interval '5 minutes'
    OR NOT EXISTS (SELECT FROM backup_report newer WHERE newer.folder = r.folder AND newer.reported_at > r.reported_at))
  WHERE p.id = $1 ORDER BY r.folder, r.host`;

/** Returns the state of all regular backups; refuses people who do not own the instance. */
export const readBackupReports = personOperation({
  name: "backups.read",
  async run({ db, caller }): Promise<BackupPlace[]> {
    const rows = await db.query<(BackupPlace | { folder: null }) & { ownsInstance: boolean }>(READ, [
      caller.person.id,
    ]);
    if (rows[0]?.ownsInstance !== true)
      throw new Refusal(
        "forbidden",
        "not_instance_owner",
        "Only owners of this instance can see its backups. Its operator can make you one.",
      );
    return rows.filter((row) => row.folder !== null);
  },
});
