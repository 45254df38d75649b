import prometheus, { type Registry } from "prom-client";
import { postgresRelease } from "../../core/postgres-release.ts";
import type { PostgresState } from "../../domain/operation/service/postgres-state.ts";

/** Adds the version of the PostgreSQL that serves the data folder, and when it was released, if that is known. */
export function addPostgresMetrics(registry: Registry, state: PostgresState): void {
  const info = "leadgate_embedded_postgres_info";
  if (registry.getSingleMetric(info) !== undefined) return;
  new prometheus.Gauge({
    name: info,
    help: "1, for the version of the PostgreSQL of the data folder, and whether it came along",
    labelNames: ["version", "programs"],
    registers: [registry],
    collect() {
      this.reset();
      this.set({ version: state.version, programs: state.pgBin === undefined ? "bundled" : "PG_BIN" }, 1);
    },
  });
  new prometheus.Gauge({
    name: "leadgate_embedded_postgres_released_timestamp_seconds",
    help: "When that version was released; absent if this release of Leadgate does not know it",
    // Without labels it would be 0 while it is unknown.
    labelNames: ["version"],
    registers: [registry],
    collect() {
      this.reset();
      const { version, released } = postgresRelease(state.version, new Date());
      if (released !== undefined) this.set({ version }, Date.parse(released) / 1_000);
    },
  });
}
