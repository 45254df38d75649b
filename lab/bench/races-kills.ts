import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import pg from "pg";
import { readConfig } from "../../src/config/config.ts";
import { openService } from "../../src/server/start.ts";
import { prepareGround, prepareTokens } from "../../test/oauth/support/inserted-grants.ts";
import { SECRET_KEY, type ServiceProcess, startService } from "../../test/processes/service-process.ts";
import { type Answer, Wire } from "./support/wire.ts";

const FOLDER = "data/bench-kills";

/**
 * Refreshes a token, ends service and database with SIGKILL, starts them again and presents the superseded
 * token. Returns how often that was not treated as a replay, or part of the chain stayed valid.
 */
export async function replaysAfterKills(kills: number, say: (line: string) => void): Promise<number> {
  rmSync(FOLDER, { recursive: true, force: true });
  const once = () => startService(undefined, { DATA_DIR: FOLDER });
  /** A free port may be taken before it is used: then tries others. */
  const start = () => once().catch(once).catch(once);
  let service = await start();
  try {
    const { clientId, chains } = await prepare(kills);
    const refresh = (token: string) =>
      asked(
        service,
        "/api/oauth/token",
        `grant_type=refresh_token&client_id=${clientId}&refresh_token=${token}`,
      );
    let [detected, broken, slowest] = [0, 0, 0];
    for (const first of chains) {
      const { refresh_token: next, access_token: access } = JSON.parse((await refresh(first)).body) as Record<
        string,
        string
      >;
      killDatabase();
      await service.kill();
      const began = performance.now();
      service = await start();
      slowest = Math.max(slowest, performance.now() - began);
      const replay = await refresh(first);
      const isReplay = replay.status === 400 && replay.body.includes("replay detected");
      const after = await refresh(next ?? "");
      const state = await asked(service, "/api/oauth/introspect", `token=${access}`);
      if (isReplay) detected += 1;
      if (!isReplay || after.status !== 400 || state.body !== '{"active":false}') broken += 1;
    }
    say(
      `replay after kill -9 of service and database: detected ${detected} of ${kills}, broken ${broken}, ready again after ${(slowest / 1_000).toFixed(1)} s at most`,
    );
    return broken;
  } finally {
    await service[Symbol.asyncDispose]();
  }
}

/** Inserts the chains that the kills will interrupt, while the service runs. */
async function prepare(kills: number): Promise<{ clientId: string; chains: string[] }> {
  const config = { ...readConfig({ LOG_LEVEL: "error", SECRET_KEY }), dataDir: resolve(FOLDER) };
  const opened = await openService(config, { attach: true });
  const client = new pg.Client({
    connectionString: opened.databaseUrl,
    options: "-c search_path=leadgate,store,public",
  });
  await client.connect();
  try {
    const database = {
      sql: async <R>(text: string, values: readonly unknown[] = []) =>
        (await client.query(text, [...values])).rows as R[],
    };
    const ground = await prepareGround(database);
    const made = await prepareTokens(database, ground, kills);
    return { clientId: ground.clientId, chains: made.map(({ refresh }) => refresh) };
  } finally {
    await client.end();
    await opened.close();
  }
}

/** Uses a new connection: the last one ended with the service. */
async function asked({ authPort }: ServiceProcess, path: string, body: string): Promise<Answer> {
  const wire = await Wire.open(authPort);
  try {
    return await wire.ask(path, body);
  } finally {
    wire.close();
  }
}

/** Kills the database server of the folder and all its children at once. */
function killDatabase(): void {
  const server = Number(readFileSync(join(FOLDER, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  const children = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === server);
  for (const pid of [server, ...children.map(Number)]) process.kill(pid, "SIGKILL");
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
