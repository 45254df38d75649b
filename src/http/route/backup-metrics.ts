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
      "Until when the log of the embedded database is archived; 0 if it is not",
      () => seconds(state.archivedUntil),
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
    help: "Attempts at a regular backup that failed",
    registers: [registry],
    collect() {
      this.inc(state.failures - counted);
      counted = state.failures;
    },
  });
}
