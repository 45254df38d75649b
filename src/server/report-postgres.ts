import type { Logger } from "pino";
import { postgresRelease } from "../core/postgres-release.ts";
import type { PostgresState } from "../domain/operation/service/postgres-state.ts";

/** Logs the version of the PostgreSQL of the data folder and its age, as a warning if a newer one was known when this release was made. */
export function reportPostgres(log: Logger, { version, pgBin }: PostgresState): void {
  const { released, days, newer } = postgresRelease(version, new Date());
  const programs = pgBin ?? "bundled";
  const age = released === undefined ? "of an unknown day" : `of ${released}, ${days} days old`;
  const facts = { postgres: { version, programs, released: released ?? null, age_days: days ?? null } };
  if (newer.length === 0) {
    log.info(facts, `the database server is PostgreSQL ${version} ${age}`);
    return;
  }
  const known = newer.map((each) => `${each.version} of ${each.released}`).join(", ");
  log.warn(
    { ...facts, newer },
    `the database server is PostgreSQL ${version} ${age}; newer: ${known}. ` +
      (pgBin === undefined
        ? "PG_BIN uses the PostgreSQL of your system with the same data (docs/operate/versions.md)"
        : "Update your system's package, and restart"),
  );
}
