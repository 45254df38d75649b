import { setTimeout as sleep } from "node:timers/promises";
import type { RunAs } from "../host/run-as.ts";
import { trimLog } from "../host/server-log.ts";
import { bringUp } from "./bring-up.ts";
import type { Cluster } from "./cluster.ts";
import type { Running } from "./launch.ts";
import { shutDown } from "./shut-down.ts";

const TRIM_EVERY_MS = 60_000;
const STEADY_MS = 10_000;

/** Keeps the server running on its port until `stop`, which returns when the server is gone; `onUp` is called after each restart. */
export function supervise(
  cluster: Cluster,
  runAs: RunAs,
  first: Running,
  log: (line: string) => void,
  onUp: (running: Running) => Promise<void>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  const trimming = setInterval(() => trimLog(cluster.logFile), TRIM_EVERY_MS).unref();

  async function keepUp(): Promise<void> {
    let running: Running | undefined = first;
    let since = Date.now();
    let pause = 0;
    while (!signal.aborted) {
      if (running) await Promise.race([running.gone, stopped]);
      if (signal.aborted) break;
      pause = Date.now() - since > STEADY_MS ? 0 : Math.min(pause * 2 + 50, 5000);
      if (running) log(`PostgreSQL (process ${running.pid}) died; starting it again`);
      await Promise.race([sleep(pause), stopped]);
      running = await again(first.port);
      since = Date.now();
    }
    if (running) await shutDown(running, runAs, cluster);
  }

  async function again(port: number): Promise<Running | undefined> {
    try {
      const running = await bringUp(cluster, runAs, { port, signal });
      log(`PostgreSQL is up again (process ${running.pid})`);
      await onUp(running).catch((error: unknown) => log(`its version is unknown: ${String(error)}`));
      return running;
    } catch (error) {
      if (!signal.aborted) log(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  const kept = keepUp();
  return {
    stop() {
      clearInterval(trimming);
      stopping.abort();
      return kept;
    },
  };
}
