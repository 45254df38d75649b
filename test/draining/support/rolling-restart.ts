import { execFile } from "node:child_process";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Ground, prepareGround, prepareTokens } from "../../oauth/support/inserted-grants.ts";
import { startInstance } from "../../processes/rolling-instance.ts";
import { SECRET_KEY } from "../../processes/service-process.ts";
import type { World } from "../../world.ts";
import { type Haproxy, type Hosts, startHaproxy } from "./haproxy.ts";
import { type Call, startLoad } from "./rolling-load.ts";

const CLIENTS = 9;
const BETWEEN_MS = 1_500;

/** What was seen in rolling restarts. */
export interface Restarted {
  calls: Call[];
  /** Whether an instance was away at this time (performance.now()). */
  isDuring(at: number): boolean;
  stops: { seconds: number; code: number | null }[];
  /** Leads that were acknowledged but are not stored, or the other way round. */
  unaccounted: number;
}

/** Restarts two instances behind HAProxy in turn, so many times together, under load. */
export async function rollingRestart(
  database: Pick<World, "sql"> & { url: string },
  restarts: number,
  freePort: () => Promise<number>,
  said: (line: string) => void = () => undefined,
): Promise<Restarted> {
  const hosts = async (): Promise<Hosts> => ({ web: await freePort(), api: await freePort() });
  const [front, ports] = [await hosts(), [await hosts(), await hosts()]];
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY,
    AUTH_URL: `http://localhost:${front.web}`,
    BASE_URL: `http://localhost:${front.api}`,
    TRUSTED_PROXIES: "127.0.0.1",
    LOG_LEVEL: "error",
    LIMITS: JSON.stringify({ api: null, token: null }),
  };
  const ground = await prepareGround(database);
  const instances = await Promise.all(ports.map((each) => startInstance(env, each)));
  const away: { from: number; to: number }[] = [];
  const stops: Restarted["stops"] = [];
  try {
    await using haproxy = await startHaproxy(front, ports);
    await allUp(haproxy, instances.length);
    const tokens = (await prepareTokens(database, ground, CLIENTS)).map(({ refresh }) => refresh);
    const key = await newKey(env, ground);
    const load = startLoad({ front, ...ground, key, tokens });
    try {
      await sleep(BETWEEN_MS);
      for (let i = 0; i < restarts; i += 1) {
        const [at, place] = [i % instances.length, ports[i % instances.length]];
        const instance = instances[at];
        if (instance === undefined || place === undefined) throw new Error("no instance");
        const from = performance.now();
        const stop = await instance.stop();
        stops.push(stop);
        instances[at] = await startInstance(env, place);
        await allUp(haproxy, instances.length);
        away.push({ from, to: performance.now() });
        const failed = load.calls.filter(({ fault }) => fault !== undefined).length;
        said(
          `restart ${i + 1}: exit ${stop.code} after ${stop.seconds.toFixed(1)} s, failed so far ${failed}`,
        );
        await sleep(BETWEEN_MS);
      }
    } finally {
      await load.stop();
    }
    const created = load.calls.filter(({ kind, fault }) => kind === "create" && fault === undefined).length;
    const [stored] = await database.sql<{ n: number }>(
      "SELECT count(*)::integer AS n FROM store.lead WHERE project_id = $1",
      [ground.projectId],
    );
    return {
      calls: load.calls,
      isDuring: (time) => away.some(({ from, to }) => time >= from && time <= to),
      stops,
      unaccounted: Math.abs((stored?.n ?? 0) - created),
    };
  } finally {
    await Promise.all(instances.map((each) => each.stop()));
  }
}

/** Waits until HAProxy sends requests to both hosts of all instances. */
async function allUp(haproxy: Haproxy, instances: number): Promise<void> {
  for (let tries = 0; (await haproxy.up()) < instances * 2; tries += 1) {
    if (tries > 600) throw new Error("HAProxy did not see all instances ready within a minute");
    await sleep(100);
  }
}

async function newKey(env: Record<string, string>, { projectId }: Ground): Promise<string> {
  const words = ["key", "create", "--project", projectId, "--name", "rolling"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["src/main.ts", ...words, "--permissions", "leads:read,leads:write", "--json"],
    { env: { PATH: process.env.PATH ?? "", ...env } },
  );
  return (JSON.parse(stdout) as { key: string }).key;
}
