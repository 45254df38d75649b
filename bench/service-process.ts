import { execFile, spawn } from "node:child_process";
import { createServer } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The database of the benchmarks remembers it. */
export const SECRET_KEY = "bench".repeat(13);

export interface ServiceProcess extends AsyncDisposable {
  baseUrl: string;
  /** Runs one of the service's commands and answers its JSON. */
  command(...words: string[]): Promise<Record<string, unknown>>;
}

/** The service as a process of its own on free ports, ready to answer. */
export async function startService(databaseUrl: string): Promise<ServiceProcess> {
  const [authUrl, baseUrl] = [`http://localhost:${await freePort()}`, `http://localhost:${await freePort()}`];
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    AUTH_URL: authUrl,
    BASE_URL: baseUrl,
    SECRET_KEY,
    LOG_LEVEL: "error",
  };
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for (let tries = 0; !(await answers(baseUrl)); tries += 1) {
    if (child.exitCode !== null || tries > 300) throw new Error("the service did not start");
    await sleep(100);
  }
  return {
    baseUrl,
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

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
