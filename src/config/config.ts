import { resolve } from "node:path";
import type { AdmissionSettings } from "../core/admission.ts";
import type { Limits } from "../core/limit.ts";
import { misspelled } from "./misspelled.ts";
import { listOf, readAddresses } from "./read-addresses.ts";
import { readAdmission } from "./read-admission.ts";
import { type BackupSettings, readBackups, readStoreKeys, type StoreKeys } from "./read-backups.ts";
import { type ChangeSettings, readChanges } from "./read-changes.ts";
import {
  type ConnectionCounts,
  readConnectionCounts,
  readTimeLimits,
  type TimeLimits,
} from "./read-connections.ts";
import { readDatabase } from "./read-database.ts";
import { drainMsOf } from "./read-drain.ts";
import { type ExportSettings, readExports } from "./read-exports.ts";
import { type FieldIndexSettings, readFieldIndexes } from "./read-field-indexes.ts";
import { type Lifetimes, readLifetimes } from "./read-lifetimes.ts";
import { type Invitations, readLimits } from "./read-limits.ts";
import { type LogSettings, readLogs } from "./read-logs.ts";
import { readMail } from "./read-mail.ts";
import { readSecretKeys, SECRETS, withSecretFiles } from "./read-secret-files.ts";
import { readTraces, type TraceSettings } from "./read-traces.ts";
import { readUrl } from "./read-url.ts";

/** How applications may use a metadata document instead of registering, and how it is fetched. */
interface Documents {
  allowed: boolean;
  /** Whether the discovery document offers this: always, or only while https to the outside is known to work. */
  advertise: "always" | "reachable";
  /** The https URL by which that is tried; without it, the document that was fetched last. */
  probe?: string;
  /** Further certificates and networks to trust; not configurable by the environment. */
  ca?: string;
  ownNetworks?: string[];
}

/** The operator's settings, read once from the environment; no other code reads `process.env`. */
export interface Config {
  /** Which of these are set, even if to nothing; a command without a running instance does not guess them. */
  isSet: { authUrl: boolean; smtpUrl: boolean };
  authUrl: string;
  baseUrl: string;
  authPort: number;
  apiPort: number;
  host: string;
  databaseUrl: string | undefined;
  /** PostgreSQL itself, if `databaseUrl` leads to a pooler. */
  databaseDirectUrl: string | undefined;
  /** Whether statements may be prepared on the server. */
  preparedStatements: boolean;
  dataDir: string;
  /** The folder of a system's PostgreSQL that serves `dataDir` instead of the one that comes along. */
  pgBin: string | undefined;
  /** Newest first. */
  secretKeys: string[];
  trustedProxies: string[];
  /** Where limits are counted if several instances share them. */
  redisUrl: string | undefined;
  /** Milliseconds to wait for an answer of Redis before counting without it; not configurable by the environment. */
  redisPatienceMs: number;
  limits: Limits;
  /** How many requests the process handles at once. */
  admission: AdmissionSettings;
  registrationsPerHour: number | null;
  registrationRanges: Record<string, number | null>;
  /** How many invitations a person and a project may send, and a recipient may get; null sets no limit. */
  invitations: Invitations;
  /** How many sign-ins may fail for one caller and account: `burst` at once, then `perMinute`; null sets no limit. */
  signInFailures: { perMinute: number; burst: number } | null;
  /** Undefined if no regular backups are made. */
  backups: BackupSettings | undefined;
  /** The access key of the store of backups; undefined if there is none. */
  storeKeys: StoreKeys | undefined;
  /** Seals the secret keys in backups; without it, they are not in them. */
  backupPassphrase: string | undefined;
  exports: ExportSettings;
  changes: ChangeSettings;
  fieldIndexes: FieldIndexSettings;
  /** How many leads a project has for which the service makes indexes by itself; not configurable by the environment. */
  fewestIndexedLeads: number;
  documents: Documents;
  smtpUrl: string | undefined;
  mailFrom: string;
  lifetimes: Lifetimes;
  mcpOrigins: string[];
  /** Whom to tell of a vulnerability: mailto:, https: or tel: URIs. */
  securityContacts: string[];
  metricsToken: string | undefined;
  /** Undefined if no traces are recorded. */
  traces: TraceSettings | undefined;
  /** How many days the audit log keeps its entries; undefined keeps all of them. */
  auditDays: number | undefined;
  /** How many days records of what has ended are kept: jobs, imports, keys, applications. */
  recordDays: number;
  logLevel: string;
  /** The access log and the slow log. */
  logs: LogSettings;
  role: "all" | "web" | "api" | "worker";
  connections: ConnectionCounts;
  timeLimits: TimeLimits;
  /** Milliseconds that listeners still accept connections after SIGTERM. */
  drainMs: number;
  /** Milliseconds that an export may make no progress; not configurable by the environment. */
  exportPatienceMs: number;
  /** Milliseconds over which the speed of an export's reader is averaged; not configurable by the environment. */
  exportReaderMs: number;
  /** Milliseconds that a connection may pass no byte; not configurable by the environment. */
  silenceMs: number;
  /** Milliseconds between two signs of life of an instance; not configurable by the environment. */
  instanceRenewMs: number;
  /** The folder of the built panel (`npm run build`); not configurable by the environment. */
  panelDir: string;
  /** What is doubtful in the settings, for the log. */
  warnings: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process. */
export const ENVIRONMENT: Environment = process.env;

/**
 * Reads the configuration; throws an error that names the variable if a value is invalid. An empty one counts as left out. `read`
 * receives the names of all settings that there are.
 */
export function readConfig(given: Environment = ENVIRONMENT, read = new Set<string>()): Config {
  for (const name of SECRETS) read.add(`${name}_FILE`);
  const all = withSecretFiles(given);
  const env = noting(withoutEmpty(all), read);
  const warnings: string[] = [];
  const addresses = readAddresses(env);
  const role = oneOf(env, "ROLE", ["all", "web", "api", "worker"], "all");
  const dataDir = resolve(env.DATA_DIR ?? "data");
  const storeKeys = readStoreKeys(env);
  const config = {
    // An empty SMTP_URL says that there is no mail server.
    isSet: { authUrl: env.AUTH_URL !== undefined, smtpUrl: all.SMTP_URL !== undefined },
    ...addresses,
    ...readDatabase(env, warnings),
    dataDir,
    secretKeys: readSecretKeys(env),
    redisUrl: readUrl(env, "REDIS_URL", REDIS, warnings),
    ...readLimits(json(env, "LIMITS", { api: null })),
    backups: readBackups(json(env, "BACKUPS", { at: "02:00" }), {
      ...{ dataDir, isEmbedded: !env.DATABASE_URL, keys: storeKeys },
    }),
    storeKeys,
    backupPassphrase: env.BACKUP_PASSPHRASE,
    exports: readExports(json(env, "EXPORTS", { keptDays: 7 })),
    changes: readChanges(json(env, "CHANGES", { keptDays: 30 })),
    fieldIndexes: readFieldIndexes(json(env, "FIELD_INDEXES", { perProject: 40 })),
    fewestIndexedLeads: 20_000,
    admission: readAdmission(json(env, "ADMISSION", { inFlight: 64 })),
    documents: documentsOf(env),
    ...readMail(env, addresses.authUrl, warnings),
    lifetimes: readLifetimes(json(env, "LIFETIMES", { access: 3_600 })),
    securityContacts: contactsOf(env),
    metricsToken: tokenOf(env),
    traces: readTraces(env, json(env, "TRACES", { slowMs: 1_000 })),
    auditDays: daysOf(env, "AUDIT_DAYS", { least: 1, without: "keep everything" }),
    recordDays: daysOf(env, "RECORD_DAYS", { least: 30, without: "keep them for 365 days" }) ?? 365,
    logLevel: oneOf(env, "LOG_LEVEL", ["fatal", "error", "warn", "info", "debug", "trace", "silent"], "info"),
    logs: readLogs(env),
    role,
    connections: readConnectionCounts(json(env, "CONNECTIONS", { requests: 12 })),
    timeLimits: readTimeLimits(json(env, "TIME_LIMITS", { query: 5 })),
    drainMs: drainMsOf(env.DRAIN_SECONDS, addresses.trustedProxies),
    redisPatienceMs: 40,
    exportPatienceMs: 60_000,
    exportReaderMs: 30_000,
    silenceMs: 60_000,
    instanceRenewMs: 5_000,
    panelDir: resolve(import.meta.dirname, "../../web/dist"),
  };
  return { ...config, warnings: [...warnings, ...misspelled(given, read)] };
}

const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));

/** Adds the names that are read to `names`: all settings that there are. */
const noting = (env: Environment, names: Set<string>): Environment =>
  new Proxy(env, {
    get(of, name: string) {
      names.add(name);
      return of[name];
    },
  });

const REDIS = {
  schemes: ["redis", "rediss"],
  example: "redis://:PASSWORD@127.0.0.1:6379/0",
  path: { form: /^\/?\d*$/, wanted: "the number of a database, such as /0" },
};

function documentsOf(env: Environment): Documents {
  const text = oneOf(env, "CIMD", ["on", "off", "auto"], "auto");
  const probe = env.CIMD_PROBE;
  if (probe && !(/^https:\/\/[^\s@]+$/i.test(probe) && URL.canParse(probe))) {
    throw new Error(`CIMD_PROBE is "${probe}"; it must be an https URL, such as https://example.com/.`);
  }
  return {
    allowed: text !== "off",
    advertise: text === "on" ? "always" : "reachable",
    ...(probe ? { probe } : {}),
  };
}

/** Contacts of security.txt, one a line there, so that none may contain a space or a line break. */
function contactsOf(env: Environment): string[] {
  const contacts = listOf(env.SECURITY_CONTACT);
  for (const contact of contacts) {
    if (
      !/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*|tel:[^\s]+)$/.test(contact) ||
      !URL.canParse(contact)
    ) {
      throw new Error(
        `SECURITY_CONTACT is "${contact}"; it must be a mailto:, https: or tel: URI, such as mailto:security@example.com.`,
      );
    }
  }
  return contacts;
}

function tokenOf({ METRICS_TOKEN: token }: Environment): string | undefined {
  if (token?.trim() === "") throw new Error("METRICS_TOKEN is only spaces; leave it out, or set a token.");
  return token;
}

function oneOf<const Word extends string>(
  env: Environment,
  name: string,
  words: readonly Word[],
  usual: NoInfer<Word>,
): Word {
  const text = env[name] ?? usual;
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new Error(`${name} is "${text}"; it must be one of ${words.join(", ")}.`);
}

/** A number of days; undefined if the setting is left out. */
function daysOf(
  env: Environment,
  name: string,
  { least, without }: { least: number; without: string },
): number | undefined {
  const text = env[name];
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(
    `${name} is "${text}"; it must be a whole number of days from ${least} to 99999. Leave it out to ${without}.`,
  );
}

function json(env: Environment, name: string, example: object): Record<string, unknown> {
  try {
    return JSON.parse(env[name] ?? "{}") as Record<string, unknown>;
  } catch (cause) {
    throw new Error(`${name} is not valid JSON; it must be an object such as ${JSON.stringify(example)}.`, {
      cause,
    });
  }
}
