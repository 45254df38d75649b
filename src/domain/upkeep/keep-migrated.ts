import { migrate } from "../../db/migrate.ts";
import { migrationNames } from "../../db/migration/files.ts";
import type { Service } from "../operation/service/service.ts";

const EVERY_MS = 10_000;

/**
 * Applies migrations that waited at the start for older instances to end, once they have. Returns a function that stops it. The
 * service needs a direct connection to the database.
 */
export function keepMigrated({ db, log }: Pick<Service, "db" | "log">): () => void {
  let isRunning = false;
  let last = "";
  const report = (message: string) => {
    if (message !== last) log.warn({ from: "migration" }, message);
    last = message;
  };
  const again = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      const rows = await db.query<{ name: string }>("SELECT name FROM migration");
      const known = new Set(rows.map(({ name }) => name));
      if ((await migrationNames()).every((name) => known.has(name))) return clearInterval(timer);
      const applied = await migrate(db.connections.url, report, { ifFree: true });
      if (applied.length > 0) log.info({ applied }, "migrations that waited were applied");
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
