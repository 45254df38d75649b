import { Database } from "./database.ts";
import type { DatabaseOptions } from "./database-options.ts";

/** A database with its own connections and time limit, for background work, which must not use those of requests. */
export function backgroundDatabase(
  url: string,
  options: Pick<DatabaseOptions, "connections" | "apart" | "onLostConnection"> & {
    distributed: boolean;
    limitMs: number;
  },
): Database {
  const { limitMs, ...more } = options;
  const limits = { fast: 0, query: limitMs, long: limitMs };
  return new Database(url, { ...more, limits, fair: false, waitMs: limitMs });
}
