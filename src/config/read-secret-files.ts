import { readFileSync } from "node:fs";
import { listOf } from "./read-addresses.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings whose value gives access to something: each can be read from a file that `NAME_FILE` names. */
export const SECRETS = [
  "SECRET_KEY",
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "REDIS_URL",
  "SMTP_URL",
  "METRICS_TOKEN",
  "BACKUP_PASSPHRASE",
  "BACKUP_S3_ACCESS_KEY_ID",
  "BACKUP_S3_SECRET_ACCESS_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
] as const;

/**
 * Returns the environment with the secrets of `NAME_FILE` settings filled in. Throws an error that names the setting, and
 * never what a file contains, if both forms are set or the file is not one line of text.
 */
export function withSecretFiles(env: Environment): Environment {
  const read = SECRETS.flatMap((name) => {
    const path = env[`${name}_FILE`];
    if (path === undefined || path === "") return [];
    if (env[name]) throw new Error(`${name} and ${name}_FILE are both set; set one of them.`);
    return [[name, secretIn(`${name}_FILE`, path)] as const];
  });
  return { ...env, ...Object.fromEntries(read) };
}

const SHORTEST = 32;
const GENERATE = "Generate one with `openssl rand -hex 32`.";

/** Reads SECRET_KEY, the newest key first; empty if it is left out. */
export function readSecretKeys(env: Environment): string[] {
  if (env.SECRET_KEY === undefined) return [];
  const keys = listOf(env.SECRET_KEY);
  if (keys.length === 0) throw new Error(`SECRET_KEY has no key. ${GENERATE}`);
  checkSecretKeys("SECRET_KEY", keys);
  return keys;
}

/** Throws an error that names where the keys are from if one is too short. */
export function checkSecretKeys(from: string, keys: readonly string[]): void {
  if (keys.some((key) => key.length < SHORTEST))
    throw new Error(`${from} is too short: it must have at least ${SHORTEST} characters. ${GENERATE}`);
}

function secretIn(setting: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Error(`${setting} names the file "${path}", which cannot be read (${code}).`);
  }
  // An empty DATABASE_URL would start the embedded database instead, which nobody wants silently.
  if (text.trim() === "") throw new Error(`${setting} names the file "${path}", which is empty.`);
  if (/[\n\r\0\ufffd]/.test(text))
    throw new Error(`${setting} names the file "${path}", which must be one line of UTF-8 text.`);
  return text;
}
