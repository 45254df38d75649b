import { resolve } from "node:path";

/** Where the database is, and how statements may be sent to it. */
interface DatabaseSettings {
  databaseUrl: string | undefined;
  databaseDirectUrl: string | undefined;
  preparedStatements: boolean;
  pgBin: string | undefined;
}

/** Reads DATABASE_URL, DATABASE_DIRECT_URL, PREPARED_STATEMENTS and PG_BIN; throws an error that names the invalid one. */
export function readDatabase(env: Readonly<Record<string, string | undefined>>): DatabaseSettings {
  const databaseUrl = env.DATABASE_URL || undefined;
  const databaseDirectUrl = env.DATABASE_DIRECT_URL || undefined;
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) {
    throw new Error("DATABASE_DIRECT_URL is set without DATABASE_URL, which must be the URL of the pooler.");
  }
  const prepared = env.PREPARED_STATEMENTS || (databaseDirectUrl === undefined ? "on" : "off");
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
