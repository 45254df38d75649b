import { execFile, spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../world.ts";

/** Constant, since the benchmarks' database is kept between runs. */
export const SECRET_KEY = "bench".repeat(13);

/** Loads use few keys and one address, far beyond the limits; the benchmark of limits measures their cost. */
const UNLIMITED = JSON.stringify({ api: null, mcp: null, token: null, introspect: null, revoke: null });

export interface ServiceProcess extends AsyncDisposable {
  baseUrl: string;
  /** The port of the web host. */
  authPort: number;
  pid: number;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Runs one of the service's commands and returns its JSON. */
  command(...words: string[]): Promise<Record<string, unknown>>;
}

/**
 * Starts the service as a process of its own on free ports, ready to answer; without a database it starts an
 * embedded one.
 */
export async function startService(
  databaseUrl: string | undefined,
  more: Record<string, string> = {},
): Promise<ServiceProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startedOn(await freePort(), await freePort(), databaseUrl, more);
    } catch (error) {
      // Another process may have taken a port in the meantime.
      if (tries === 5 || !(error instanceof PortTaken)) throw error;
    }
  }
}

class PortTaken extends Error {}

async function startedOn(
  authPort: number,
  apiPort: number,
  databaseUrl: string | undefined,
  more: Record<string, string>,
): Promise<ServiceProcess> {
  const [authUrl, baseUrl] = [`http://localhost:${authPort}`, `http://localhost:${apiPort}`];
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl ?? "",
    AUTH_URL: authUrl,
    BASE_URL: baseUrl,
    SECRET_KEY,
    LOG_LEVEL: "error",
    LIMITS: UNLIMITED,
    ...more,
  };
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (env.LOG_LEVEL === "error") process.stderr.write(text);
    said = (said + text).slice(-2_000);
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for (let tries = 0; !(await isReady(authUrl)) || !(await isReady(baseUrl)); tries += 1) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (tries > 600) {
      child.kill("SIGKILL");
      throw new Error("the service was not ready after a minute");
    }
    await sleep(100);
  }
  // Another process may have taken the port and answer instead.
  if (child.exitCode !== null || child.signalCode !== null) {
    if (/^Port \d+ .* in use/m.test(said)) throw new PortTaken();
    throw new Error(`the service did not start: it ended with ${child.signalCode ?? child.exitCode}`);
  }
  return {
    baseUrl,
    authPort,
    pid: child.pid ?? 0,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async command(...words) {
      const { stdout } = await promisify(execFile)(process.execPath, ["src/main.ts", ...words, "--json"], {
        env,
      });
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
