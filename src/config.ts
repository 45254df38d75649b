import { resolve } from "node:path";
import ipaddr from "ipaddr.js";

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
  registrationsPerHour: number | null;
  registrationRanges: Record<string, number>;
  lifetimes: Lifetimes;
  mcpOrigins: string[];
  metricsToken: string | undefined;
  logLevel: string;
  role: "all" | "web" | "api" | "worker";
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
  const limits = json(env, "LIMITS") as {
    registration?: { perHour?: number; ranges?: Record<string, number> } | null;
  };
  const role = env.ROLE ?? "all";
  if (role !== "all" && role !== "web" && role !== "api" && role !== "worker") {
    throw new Error(`ROLE is "${role}"; it may be all, web, api or worker.`);
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
    registrationsPerHour: limits.registration === null ? null : (limits.registration?.perHour ?? 10),
    registrationRanges: rangesOf(limits.registration?.ranges ?? {}),
    lifetimes: { ...DEFAULT_LIFETIMES, ...(json(env, "LIFETIMES") as Partial<Lifetimes>) },
    mcpOrigins: listOf(env.MCP_ORIGINS),
    metricsToken: env.METRICS_TOKEN,
    logLevel: env.LOG_LEVEL ?? "info",
    role,
  };
}

function rangesOf(ranges: Record<string, number>): Record<string, number> {
  const wrong = Object.keys(ranges).find((range) => !ipaddr.isValidCIDR(range));
  if (wrong !== undefined) throw new Error(`LIMITS names the range "${wrong}"; write it as 203.0.113.0/24.`);
  return ranges;
}

function addressOf(env: Environment, name: string, fallback: string): string {
  const text = env[name] ?? fallback;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`${name} is "${text}"; it must be an http or https address, such as ${fallback}.`);
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
    throw new Error(`${name} is "${text}"; it must be a port.`);
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
    return JSON.parse(env[name] ?? "{}") as Record<string, unknown>;
  } catch (cause) {
    throw new Error(`${name} is not valid JSON.`, { cause });
  }
}
