import { migrate } from "../../db/migrate.ts";
import { migrationNames } from "../../db/migration/files.ts";
import type { Report } from "../../db/migration/without-transaction.ts";
import type { Service } from "../operation/service/service.ts";

const EVERY_MS = 10_000;

/** Writes what migrations report to the log: what was applied as information, everything else as warnings. */
export const logMigrations =
  (log: Service["log"]): Report =>
  (message, applied) => {
    if (applied === undefined) log.warn({ from: "migration" }, message);
    else log.info({ from: "migration", ...applied }, message);
  };

/**
 * Applies migrations that waited at the start for older instances to end, once they have. Returns a function that stops it. The
 * service needs a direct connection to the database.
 */
export function keepMigrated({ db, log }: Pick<Service, "db" | "log">): () => void {
  let isRunning = false;
  let last = "";
  const toLog = logMigrations(log);
  const report: Report = (message, applied) => {
    if (message !== last) toLog(message, applied);
    last = message;
  };
  const again = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      const rows = await db.query<{ name: string }>("SELECT name FROM migration");
      const known = new Set(rows.map(({ name }) => name));
      if ((await migrationNames()).every((name) => known.has(name))) return clearInterval(timer);
      await migrate(db.connections.url, report, { ifFree: true });
    } catch (error) {
      log.warn({ err: error }, "migrations still wait; they will be tried again");
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void again(), EVERY_MS);
  timer.unref();
  void again();
  return () => clearInterval(timer);
}
