import { setTimeout as sleep } from "node:timers/promises";
import { minorOf } from "../host/binaries.ts";
import { EmbeddedError } from "../host/embedded-error.ts";
import { freePort } from "../host/free-port.ts";
import type { RunAs } from "../host/run-as.ts";
import { lastWords } from "../host/server-log.ts";
import { adopt } from "./adopt.ts";
import { serverVersion } from "./check-database.ts";
import type { Cluster } from "./cluster.ts";
import { launch, type Running } from "./launch.ts";
import { shutDown } from "./shut-down.ts";

const PATIENCE_MS = 8_000;

/** Adopts or starts the cluster's server, on the given port if there is one. */
export async function bringUp(
  cluster: Cluster,
  runAs: RunAs,
  { port, signal }: { port?: number; signal: AbortSignal },
): Promise<Running> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pause = 100; ; pause = Math.min(pause * 2, 2000)) {
    const adopted = await adopt(cluster, runAs, signal);
    if (adopted && (signal.aborted || (await isCurrent(cluster, runAs, adopted)))) return adopted;
    // It runs programs that were replaced, or that PG_BIN no longer names.
    if (adopted) await shutDown(adopted, runAs, cluster);
    // Another program may take the port before the server does; the next round finds another.
    const started = await launch(cluster, runAs, port ?? (await freePort()), signal);
    if (started) return started;
    if (signal.aborted || Date.now() > deadline) break;
    await sleep(pause);
  }
  const reason = lastWords(cluster.logFile);
  throw new EmbeddedError(`PostgreSQL in ${cluster.folder} did not start; see ${cluster.logFile}: ${reason}`);
}

/** Whether a server that outlived its owner has the version of the programs that would start it now. */
async function isCurrent(cluster: Cluster, runAs: RunAs, { port }: Running): Promise<boolean> {
  // One that does not answer its superuser is started again, too.
  const version = await serverVersion(cluster, port).catch(() => "");
  return minorOf(version) === minorOf(runAs.binaries.version);
}
