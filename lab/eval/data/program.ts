import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type Config, readConfig } from "../../../src/config/config.ts";
import { readPasswords } from "../../../src/db/embedded/server/passwords.ts";
import type { Service } from "../../../src/domain/operation/service/service.ts";
import { listen, type Opened, openService } from "../../../src/server/start.ts";
import { freePort } from "../../../test/world.ts";

export type Sql = <R>(text: string, values?: readonly unknown[]) => Promise<R[]>;

/** The service on ports that a folder keeps, with an embedded database in that folder. */
export interface Program extends AsyncDisposable {
  authUrl: string;
  baseUrl: string;
  service: Service;
  /** Runs a statement as the superuser, without triggers, to copy projects and to compare them. */
  sql: Sql;
}

/** An agent may take days for all jobs: what was granted must outlive them. */
const DAYS_30 = 30 * 86_400;

const settingsOf = (authPort: number, apiPort: number, folder: string): Record<string, string> => ({
  AUTH_URL: `http://localhost:${authPort}`,
  BASE_URL: `http://localhost:${apiPort}`,
  DATA_DIR: join(folder, "data"),
  LOG_LEVEL: "error",
  ACCESS_LOG: "off",
  SLOW_LOG_MS: "0",
  LIMITS: JSON.stringify({ api: null, mcp: null, token: null, introspect: null, revoke: null }),
  LIFETIMES: JSON.stringify({ access: DAYS_30, refresh: DAYS_30, session: DAYS_30 }),
  TIME_LIMITS: JSON.stringify({ wait: 10, query: 30, write: 60 }),
  ADMISSION: JSON.stringify({ inFlight: 1_000, perOwner: 1_000, waiting: 10_000, waitMs: 30_000 }),
  CIMD: "off",
});

/** Opens the service in the folder; a second start uses the same ports and continues with the same data. */
export async function openProgram(folder: string): Promise<Program> {
  const kept = join(folder, "ports.json");
  if (!existsSync(kept)) writeFileSync(kept, JSON.stringify([await freePort(), await freePort()]));
  const config = configIn(folder);
  const opened = await openService(config);
  const listening = await listen(opened.service, config);
  return await programOf(config, opened, () => listening.stop());
}

/** Opens the database of a folder, whether it is being served or not, without serving it. */
export async function attachedProgram(folder: string): Promise<Program> {
  const config = configIn(folder);
  return await programOf(config, await openService(config, { attach: true }), async () => undefined);
}

function configIn(folder: string): Config {
  const [authPort = 0, apiPort = 0] = JSON.parse(
    readFileSync(join(folder, "ports.json"), "utf8"),
  ) as number[];
  return { ...readConfig(settingsOf(authPort, apiPort, folder)), backups: undefined };
}

async function programOf(config: Config, opened: Opened, stop: () => Promise<void>): Promise<Program> {
  const settings = [
    "search_path=leadgate,store,public",
    "session_replication_role=replica",
    "synchronous_commit=off",
  ];
  const pool = new pg.Pool({
    connectionString: await superuserUrl(opened.databaseUrl, config.dataDir),
    max: 3,
    options: settings.map((setting) => `-c ${setting}`).join(" "),
  });
  // A connection that ends between two statements is replaced.
  pool.on("error", () => undefined);
  return {
    ...{ authUrl: config.authUrl, baseUrl: config.baseUrl, service: opened.service },
    sql: async <R>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, [...values])).rows as R[],
    async [Symbol.asyncDispose]() {
      await pool.end();
      await stop();
      await opened.close();
    },
  };
}

async function superuserUrl(url: string, dataDir: string): Promise<string> {
  const as = new URL(url);
  as.username = "postgres";
  as.password = (await readPasswords(dataDir, { create: false })).postgres;
  return as.href;
}
