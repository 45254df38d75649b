import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";

/** What every operation may use: the database, the operator's decisions, the log. */
export interface Service {
  db: Database;
  config: Pick<
    Config,
    | "authUrl"
    | "baseUrl"
    | "secretKeys"
    | "lifetimes"
    | "registrationsPerHour"
    | "registrationRanges"
    | "mcpOrigins"
  >;
  log: Logger;
}
