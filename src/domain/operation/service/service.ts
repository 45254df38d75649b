import type { Logger } from "pino";
import type { Config } from "../../../config/config.ts";
import type { Database } from "../../../db/pool/database.ts";
import type { Limiter, Told } from "./limiter.ts";
import type { Mailer } from "./mailer.ts";
import type { PageMemory } from "./page-memory.ts";

/** The turns that a request took or was refused, undefined while it is on the way; the last one is told to the caller. */
export type Hits = Map<string, Told | undefined>;

/** From where a request came, for the audit log and a person's list of sessions. */
interface Origin {
  address: string;
  requestId: string;
  /** What the browser calls itself, for people to recognise their sessions by; at most 200 characters. */
  agent?: string;
  /** What was counted of it; where this is absent nothing is. */
  hits?: Hits;
}

/** What every operation may use: the database, the operator's decisions, the log, the mail. */
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
    | "signInFailures"
    | "limits"
    | "documents"
    | "mcpOrigins"
    | "exportPatienceMs"
    | "panelDir"
  >;
  log: Logger;
  /** The pages of leads that are asked for again and again. */
  pages: PageMemory;
  /** Where calls are counted. */
  limiter: Limiter;
  /** Undefined where no SMTP server is configured. */
  mailer: Mailer | undefined;
  /** The request that is being answered; work of the service's own and the command line have none. */
  origin?: Origin;
}
