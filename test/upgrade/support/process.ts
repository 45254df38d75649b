import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../world.ts";

/** A process of the service, which may not be ready yet. */
export interface Instance {
  child: ChildProcess;
  authUrl: string;
  baseUrl: string;
  /** What it printed and logged. */
  printed(): string;
  /** Resolves with its exit code, once it has ended. */
  ended: Promise<number | null>;
}

/** Starts an instance with a program, or else with our sources; it is killed at the end of the test if it still runs. */
export async function begun(t: TestContext, databaseUrl: string, program = "src/main.ts"): Promise<Instance> {
  const [authUrl, baseUrl] = [`http://localhost:${await freePort()}`, `http://localhost:${await freePort()}`];
  const child = spawn(process.execPath, [program, "serve"], {
    env: {
      ...{ PATH: process.env.PATH ?? "", AUTH_URL: authUrl, BASE_URL: baseUrl, DATABASE_URL: databaseUrl },
      ...{
        SECRET_KEY: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        LIMITS: '{"api":null}',
      },
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => {
      printed += data.toString();
    });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, authUrl, baseUrl, printed: () => printed, ended };
}

/** Waits until `/readyz` of an instance has this status on both hosts. */
export async function until(status: number, instance: Instance): Promise<void> {
  for (const url of [instance.authUrl, instance.baseUrl])
    for (const deadline = performance.now() + 120_000; ; await sleep(50)) {
      if ((await fetch(`${url}/readyz`).catch(() => undefined))?.status === status) break;
      if (instance.child.exitCode !== null || performance.now() > deadline)
        throw new Error(`no answer ${status}: ${instance.printed()}`);
    }
}
