import { resolve } from "node:path";
import { checkFile, readUrl } from "./read-url.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the database is, and how statements may be sent to it. */
interface DatabaseSettings {
  databaseUrl: string | undefined;
  databaseDirectUrl: string | undefined;
  preparedStatements: boolean;
  pgBin: string | undefined;
}

const FORM = {
  schemes: ["postgres", "postgresql"],
  example: "postgres://leadgate:PASSWORD@db.example.com:5432/leadgate",
  hostless: true,
};
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/**
 * Reads DATABASE_URL, DATABASE_DIRECT_URL, PREPARED_STATEMENTS and PG_BIN; throws an error that names the invalid one, without its value,
 * which may have a password. Adds what is doubtful to `warnings`.
 */
export function readDatabase(env: Environment, warnings: string[] = []): DatabaseSettings {
  const databaseUrl = urlOf(env, "DATABASE_URL", warnings);
  const databaseDirectUrl = urlOf(env, "DATABASE_DIRECT_URL", warnings);
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) {
    throw new Error("DATABASE_DIRECT_URL is set without DATABASE_URL, which must be the URL of the pooler.");
  }
  const prepared = env.PREPARED_STATEMENTS ?? (databaseDirectUrl === undefined ? "on" : "off");
  if (prepared !== "on" && prepared !== "off") {
    throw new Error(`PREPARED_STATEMENTS is "${prepared}"; it must be on or off.`);
  }
  const pgBin = env.PG_BIN ? resolve(env.PG_BIN) : undefined;
  if (pgBin !== undefined && databaseUrl !== undefined) {
    throw new Error(
      "PG_BIN and DATABASE_URL are both set. PG_BIN is for the database in DATA_DIR; leave one of them out.",
    );
  }
  return { pgBin, databaseUrl, databaseDirectUrl, preparedStatements: prepared === "on" };
}

function urlOf(env: Environment, name: string, warnings: string[]): string | undefined {
  // The two other forms that pg reads, for a socket: `/run/postgresql leadgate` and `socket:/run/postgresql?db=leadgate`.
  if (/^(?:socket:)?\//.test(env[name] ?? "")) return env[name];
  const url = readUrl(env, name, FORM, warnings);
  const options = new URLSearchParams(/\?(.*)$/s.exec(url ?? "")?.[1]);
  const mode = options.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new Error(`${name} has sslmode=${mode}; it must be one of ${SSL_MODES.join(", ")}.`);
  for (const part of ["sslrootcert", "sslcert", "sslkey"]) checkFile(name, part, options.get(part));
  return url;
}
