import { spawn } from "node:child_process";
import { isAlive, serverProcesses, until } from "../host/processes.ts";
import type { RunAs } from "../host/run-as.ts";
import type { Cluster } from "./cluster.ts";
import type { Running } from "./launch.ts";

type StopSignal = "SIGINT" | "SIGQUIT" | "SIGKILL";

/**
 * Stops a server: with a fast shutdown, after 8 s without a checkpoint, after 5 s more by force; returns when it is
 * gone.
 */
export async function shutDown(running: Pick<Running, "pid">, runAs: RunAs, cluster: Cluster): Promise<void> {
  const steps: [StopSignal, number][] = [
    ["SIGINT", 8000],
    ["SIGQUIT", 5000],
    ["SIGKILL", 5000],
  ];
  for (const [signal, patience] of steps) {
    await signalServer(running.pid, signal, runAs);
    if (await until(() => !isAlive(running.pid), patience)) break;
  }
  await until(() => serverProcesses(cluster).length === 0, 2000);
}

/** Signals a server process, which may already be gone. */
export async function signalServer(pid: number, signal: StopSignal, runAs: RunAs): Promise<void> {
  if (process.platform !== "win32" || signal === "SIGKILL") {
    try {
      process.kill(pid, signal);
    } catch {
      // The process is already gone.
    }
    return;
  }
  // Windows has no signals: the server listens on a pipe that pg_ctl can use.
  const { file, args, options } = runAs.command(runAs.binaries.pgCtl, ["kill", signal.slice(3), String(pid)]);
  await new Promise((resolve) => spawn(file, args, options).once("error", resolve).once("close", resolve));
}
