import { resolve } from "node:path";
import type { Limits } from "../core/limit.ts";
import { readLimits } from "./read-limits.ts";

/** Seconds that each kind of secret lives. */
interface Lifetimes {
  code: number;
  access: number;
  refresh: number;
  session: number;
}

/** What the operator decided, read once from the environment; nobody else reads `process.env`. */
export interface Config {
  authUrl: string;
  baseUrl: string;
  authPort: number;
  apiPort: number;
  host: string;
  databaseUrl: string | undefined;
  dataDir: string;
  secretKeys: string[];
  trustedProxies: string[];
  /** Where calls are counted, for instances that share it. */
  redisUrl: string | undefined;
  limits: Limits;
  registrationsPerHour: number | null;
  registrationRanges: Record<string, number>;
  /** Failed sign-ins that one caller may have at one account: `burst` at once, then so many a minute; null sets no limit. */
  signInFailures: { perMinute: number; burst: number } | null;
  /** Whether applications may be known by a metadata document instead of registering, and how it is fetched. */
  documents: { allowed: boolean; ca?: string; ownNetworks?: string[] };
  smtpUrl: string | undefined;
  mailFrom: string;
  lifetimes: Lifetimes;
  mcpOrigins: string[];
  metricsToken: string | undefined;
  logLevel: string;
  role: "all" | "web" | "api" | "worker";
  /** Milliseconds that a statement may take; no environment sets it. */
  statementTimeoutMs: number;
  /** Milliseconds that a streamed export may stand still; no environment sets it. */
  exportPatienceMs: number;
  /** Where the built panel is (`npm run build`); no environment sets it. */
  panelDir: string;
}

const DEFAULT_LIFETIMES: Lifetimes = {
  code: 600,
  access: 3_600,
  refresh: 90 * 86_400,
  session: 7 * 86_400,
};

type Environment = Record<string, string | undefined>;

/** Reads the configuration; throws an error that names the variable when one makes no sense. */
export function readConfig(env: Environment = process.env): Config {
  const authUrl = addressOf(env, "AUTH_URL", "http://localhost:3000");
  const baseUrl = addressOf(env, "BASE_URL", "http://localhost:3001");
  const role = env.ROLE ?? "all";
  if (role !== "all" && role !== "web" && role !== "api" && role !== "worker") {
    throw new Error(`ROLE is "${role}"; it must be one of all, web, api, worker.`);
  }
  return {
    authUrl,
    baseUrl,
    authPort: portOf(env, "AUTH_PORT", authUrl),
    apiPort: portOf(env, "API_PORT", baseUrl),
    host: env.HOST ?? "127.0.0.1",
    databaseUrl: env.DATABASE_URL === "" ? undefined : env.DATABASE_URL,
    dataDir: resolve(env.DATA_DIR ?? "data"),
    secretKeys: listOf(env.SECRET_KEY),
    trustedProxies: listOf(env.TRUSTED_PROXIES),
    redisUrl: redisOf(env),
    ...readLimits(json(env, "LIMITS")),
    documents: { allowed: switchOf(env, "CIMD") },
    smtpUrl: env.SMTP_URL === "" ? undefined : env.SMTP_URL,
    mailFrom: env.MAIL_FROM || `Leadgate <leadgate@${new URL(authUrl).hostname}>`,
    lifetimes: { ...DEFAULT_LIFETIMES, ...(json(env, "LIFETIMES") as Partial<Lifetimes>) },
    mcpOrigins: listOf(env.MCP_ORIGINS),
    metricsToken: env.METRICS_TOKEN,
    logLevel: env.LOG_LEVEL ?? "info",
    role,
    statementTimeoutMs: 15_000,
    exportPatienceMs: 60_000,
    panelDir: resolve(import.meta.dirname, "../../web/dist"),
  };
}

/** A setting that is on unless it says off. */
function switchOf(env: Environment, name: string): boolean {
  const text = env[name] || "on";
  if (text !== "on" && text !== "off") throw new Error(`${name} is "${text}"; it must be on or off.`);
  return text === "on";
}

/** The address of Redis; a wrong one is named without its password. */
function redisOf(env: Environment): string | undefined {
  const text = env.REDIS_URL;
  if (text === undefined || text === "") return undefined;
  const url = URL.parse(text);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === "") {
    throw new Error("REDIS_URL must be a URL, such as redis://:password@127.0.0.1:6379/0.");
  }
  return text;
}

function addressOf(env: Environment, name: string, fallback: string): string {
  const text = env[name] ?? fallback;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`${name} is "${text}"; it must be an http or https URL, such as ${fallback}.`);
  }
  return text.replace(/\/+$/, "");
}

function portOf(env: Environment, name: string, url: string): number {
  const text = env[name];
  if (text === undefined) {
    const { port, protocol } = new URL(url);
    return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  }
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`${name} is "${text}"; it must be a port number from 0 to 65535.`);
  return port;
}

function listOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function json(env: Environment, name: string): Record<string, unknown> {
  try {
    return JSON.parse(env[name] || "{}") as Record<string, unknown>;
  } catch (cause) {
    throw new Error(`${name} is not valid JSON.`, { cause });
  }
}
