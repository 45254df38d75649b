import { setTimeout as sleep } from "node:timers/promises";
import { readPostmasterFile, removePostmasterFile } from "../host/postmaster-file.ts";
import { isAlive, isServerProcess, serverProcesses } from "../host/processes.ts";
import type { RunAs } from "../host/run-as.ts";
import { removeSockets } from "../host/socket.ts";
import type { Cluster } from "./cluster.ts";
import { isReady, type Running } from "./launch.ts";
import { shutDown, signalServer } from "./shut-down.ts";

const ANSWERS_WITHIN_MS = 60_000;
const ORPHANS_LEAVE_WITHIN_MS = 500;

/**
 * Takes over a server that outlived its owner. Returns undefined if there is none; its leftover files are then
 * removed.
 */
export async function adopt(
  cluster: Cluster,
  runAs: RunAs,
  signal: AbortSignal,
): Promise<Running | undefined> {
  const began = Date.now();
  for (;;) {
    const file = readPostmasterFile(cluster.folder);
    const waited = Date.now() - began;
    if (file && isServerProcess(file.pid, cluster)) {
      const running = { pid: file.pid, port: file.port };
      if (signal.aborted || (await isReady(cluster, running))) return { ...running, gone: goneOf(file.pid) };
      if (waited > ANSWERS_WITHIN_MS) await shutDown(running, runAs, cluster);
    } else {
      // Children of a killed server keep its shared memory until they notice. If the owner was killed right after
      // the start, the server has not written its file yet.
      const orphans = serverProcesses(cluster);
      if (orphans.length === 0) break;
      const force = waited > 4 * ORPHANS_LEAVE_WITHIN_MS ? "SIGKILL" : "SIGQUIT";
      if (waited > ORPHANS_LEAVE_WITHIN_MS) for (const pid of orphans) await signalServer(pid, force, runAs);
    }
    await sleep(20);
  }
  if (process.platform === "linux") {
    removePostmasterFile(cluster.folder);
    removeSockets(cluster.folder);
  }
  return undefined;
}

async function goneOf(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(250, undefined, { ref: false });
}
