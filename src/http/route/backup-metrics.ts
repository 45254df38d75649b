import prometheus, { type Registry } from "prom-client";
import type { BackupState } from "../../domain/operation/service/backup-state.ts";

/** Adds what is known about regular backups to the metrics of the instance that makes them. */
export function addBackupMetrics(registry: Registry, state: BackupState): void {
  const seconds = (time: string | undefined) => (time === undefined ? 0 : Date.parse(time) / 1_000);
  const gauges: [name: string, help: string, read: () => number][] = [
    [
      "leadgate_backup_last_success_timestamp_seconds",
      "When the newest backup was complete; 0 if there is none",
      () => seconds(state.last?.finished),
    ],
    ["leadgate_backup_last_bytes", "Size of the newest backup", () => state.last?.bytes ?? 0],
    [
      "leadgate_backup_archived_until_timestamp_seconds",
      "Until when the log of the embedded database is archived, or when the service started; 0 if it is not to be archived",
      () => seconds(state.archivedUntil ?? state.archiveWantedSince),
    ],
    [
      "leadgate_backup_verified_timestamp_seconds",
      "When a backup and its archive were last restored and compared; 0 if never",
      () => seconds(state.verified),
    ],
    [
      "leadgate_backup_same_disk",
      "1 if the backups are on the disk that has the data",
      () => (state.isOnSameDisk ? 1 : 0),
    ],
    [
      "leadgate_backup_store_delay_seconds",
      "The longest that a file took to arrive in the store of backups in the last 24 hours, or waits now",
      () => state.store?.greatestDelay ?? 0,
    ],
    [
      "leadgate_backup_store_waiting_bytes",
      "What is not in the store of backups yet; NaN until it was compared",
      () => waitingIn(state),
    ],
    [
      "leadgate_backup_store_arrived_timestamp_seconds",
      "When a file arrived in the store of backups, or nothing waited, for the last time; if none ever did, when the service started; 0 without a store",
      () => seconds(state.store?.arrived),
    ],
  ];
  for (const [name, help, read] of gauges) {
    if (registry.getSingleMetric(name) !== undefined) return;
    new prometheus.Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        this.set(read());
      },
    });
  }
  let counted = 0;
  new prometheus.Counter({
    name: "leadgate_backup_failures_total",
    help: "Regular backups, their verifications and the archive of the log: attempts that failed",
    registers: [registry],
    collect() {
      this.inc(state.failures - counted);
      counted = state.failures;
    },
  });
}

function waitingIn({ store }: BackupState): number {
  if (store === undefined) return 0;
  const { waitingBytes = Number.NaN } = store;
  return waitingBytes;
}
