import { spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hosts } from "../draining/support/haproxy.ts";

/** An instance that can be started again on its ports. */
export interface RollingInstance {
  /** Ends it with SIGTERM; returns how long that took, and its exit code. */
  stop(): Promise<{ seconds: number; code: number | null }>;
}

/** Starts an instance on these ports; resolves when it is ready. */
export async function startInstance(env: Record<string, string>, ports: Hosts): Promise<RollingInstance> {
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: { PATH: process.env.PATH ?? "", ...env, AUTH_PORT: String(ports.web), API_PORT: String(ports.api) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  for (let tries = 0; !(await isReady(ports.web)) || !(await isReady(ports.api)); tries += 1) {
    if (child.exitCode !== null) throw new Error(`the instance ended with ${child.exitCode} at its start`);
    if (tries > 1_200) {
      child.kill("SIGKILL");
      throw new Error("the instance was not ready after a minute");
    }
    await sleep(50);
  }
  return {
    async stop() {
      const began = performance.now();
      child.kill("SIGTERM");
      const code = await ended;
      return { seconds: (performance.now() - began) / 1_000, code };
    },
  };
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
