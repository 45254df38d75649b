import type { Logger } from "pino";
import type { Config } from "../../../config/config.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { Database } from "../../../db/pool/database.ts";
import type { Account } from "../../../observe/log/account.ts";
import type { Logs } from "../../../observe/log/logs.ts";
import type { Trace } from "../../../observe/trace/trace.ts";
import type { Tracer } from "../../../observe/trace/tracer.ts";
import type { LiveHub } from "../../live/live-hub.ts";
import type { BackupState } from "./backup-state.ts";
import type { DocumentOffer } from "./document-offer.ts";
import type { Limiter, Told } from "./limiter.ts";
import type { Mailer } from "./mailer.ts";
import type { PageMemory } from "./page-memory.ts";
import type { PostgresState } from "./postgres-state.ts";
import type { Readiness } from "./readiness.ts";

/** The hits of a request by limit, undefined while being counted; the last one is reported to the caller. */
export type Hits = Map<string, Told | undefined>;

/** Where a request came from, for the audit log and the list of sessions. */
interface Origin {
  address: string;
  requestId: string;
  /** The browser's user agent, by which people recognise their sessions; at most 200 characters. */
  agent?: string;
  /** The Accept-Language header. */
  languages?: string | undefined;
  /** The counted hits; without it, nothing is counted. */
  hits?: Hits;
  /** What the caller should know although the request succeeds, such as a filter that can find nothing. */
  warnings?: Fault[];
  /** The changes that were begun; what callers receive are the ids of those that were made. */
  changes?: { id: string; made: boolean }[];
  /** Called with the project that the credential names, before it is checked. */
  onProject?: (projectId: string) => void;
  /** Called when a statement has to run in the slow lane. */
  onSlow?: () => void;
  /** Whether a page asks by itself, so that this is not its person's use of the session. */
  unattended?: boolean;
  /** Whether values in filters that are no option are refused; otherwise the answer stays, with a warning. */
  refusesUnknown?: boolean;
}

/** What seals secrets in the database and opens them. */
export interface Sealing {
  config: Pick<Config, "secretKeys">;
}

/**
 * What every operation may use: database, configuration, log, mail. The first of `secretKeys` signs and seals, all of
 * them verify and open; their order changes while the service runs, so they are read at each use.
 */
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
    | "invitations"
    | "documents"
    | "mcpOrigins"
    | "auditDays"
    | "recordDays"
    | "securityContacts"
    | "exports"
    | "changes"
    | "fieldIndexes"
    | "fewestIndexedLeads"
    | "exportPatienceMs"
    | "exportReaderMs"
    | "panelDir"
    | "timeLimits"
  >;
  log: Logger;
  /** The cache of pages of leads. */
  pages: PageMemory;
  /** Where hits are counted. */
  limiter: Limiter;
  /** What is committed in projects that have live readers in this process. */
  live: LiveHub;
  /** Whether the database answers and takes changes. */
  readiness: Readiness;
  /** Whether the discovery document offers client documents. */
  offer: DocumentOffer;
  /** The regular backups of this instance. */
  backups: BackupState;
  /** The PostgreSQL of the data folder; undefined with DATABASE_URL, and if another process owns it. */
  postgres?: PostgresState | undefined;
  /** Undefined if no SMTP server is configured. */
  mailer: Mailer | undefined;
  /** The request being handled; background work and the command line have none. */
  origin?: Origin;
  /** Undefined if no traces are recorded. */
  tracer?: Tracer | undefined;
  /** The trace of the request or the job; `db` records its statements in it. */
  trace?: Trace | undefined;
  /** Undefined if nothing is logged of what requests and jobs do. */
  logs?: Logs | undefined;
  /** What the request or the job does, for the logs; `db` notes its statements there. */
  account?: Account | undefined;
}

/** The service for work whose statements are recorded in this trace and noted in this account. */
export function recording(service: Service, trace: Trace | undefined, account?: Account): Service {
  if (trace === undefined && account === undefined) return service;
  return { ...service, trace, account, db: service.db.recording(trace, account) };
}
