import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, type World } from "./world.ts";

/** A process of the service that shares a database with others, and can be killed. */
export interface Instance {
  authUrl: string;
  baseUrl: string;
  /** Ends it; returns its exit code. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
}

/** Starts another instance of the service, with these settings besides or instead; resolves when it is ready. */
export async function instance(
  the: World,
  role: "all" | "web" | "api" | "worker",
  more: Record<string, string | undefined> = {},
): Promise<Instance> {
  const [auth, api] = [await freePort(), await freePort()];
  const [authUrl, baseUrl] = [`http://localhost:${auth}`, `http://localhost:${api}`];
  const child: ChildProcess = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: {
      ...{ PATH: process.env.PATH ?? "", ...the.env, AUTH_URL: authUrl, BASE_URL: baseUrl, ROLE: role },
      ...more,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const ready = () =>
    fetch(`${role === "web" ? authUrl : baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error("the instance ended before it was ready");
    await sleep(20);
  }
  return {
    authUrl,
    baseUrl,
    end(signal) {
      child.kill(signal);
      return gone;
    },
  };
}
