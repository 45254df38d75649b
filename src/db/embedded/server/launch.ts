import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedError } from "../host/embedded-error.ts";
import { readPostmasterFile } from "../host/postmaster-file.ts";
import type { RunAs } from "../host/run-as.ts";
import { openLog } from "../host/server-log.ts";
import { handOver } from "../host/unprivileged.ts";
import { checkFiles } from "./check-files.ts";
import type { Cluster } from "./cluster.ts";
import { probe, provision, urlOf } from "./probe.ts";
import { serverArguments } from "./settings.ts";

/** A running server that we started or adopted. */
export interface Running {
  pid: number;
  port: number;
  /** Resolves when the server is gone, for whatever reason. */
  gone: Promise<void>;
}

/** Starts a server and waits until it accepts connections; undefined if it exited before (its log says why). */
export async function launch(
  cluster: Cluster,
  runAs: RunAs,
  port: number,
  signal: AbortSignal,
): Promise<Running | undefined> {
  const started = await spawnServer(cluster, runAs, port);
  // Recovery after a crash may take minutes, so wait as long as the server process exists.
  while (!started.hasExited()) {
    if (signal.aborted || (await isReady(cluster, started.running))) return started.running;
    await sleep(15);
  }
  return undefined;
}

/** Starts the process of a server, which then gets ready, or exits and says in its log why. */
export async function spawnServer(
  cluster: Pick<Cluster, "folder" | "name" | "logFile" | "settings">,
  runAs: RunAs,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ running: Running; hasExited(): boolean }> {
  const { file, args, options } = runAs.command(
    runAs.binaries.postgres,
    serverArguments(cluster.folder, cluster.name, port, { ...cluster.settings, ...settings }),
  );
  const { user } = runAs;
  if (user && (await stat(cluster.folder)).uid !== user.uid) await handOver(cluster.folder, user);
  // PostgreSQL refuses to start without this mode, which a copy or a restored backup may have lost.
  await chmod(cluster.folder, 0o700);
  await checkFiles(cluster.folder, runAs);
  const log = openLog(cluster.logFile);
  // A process group of its own: a signal to our group must not end the database before we have drained.
  const child = spawn(file, args, {
    ...options,
    detached: true,
    windowsHide: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let exited = false;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve())).then(() => {
    exited = true;
  });
  child.unref();
  await new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(new EmbeddedError(`cannot run ${file}: ${cause.message}`, { cause })),
    );
  });
  return { running: { pid: child.pid ?? 0, port, gone }, hasExited: () => exited };
}

/** Whether the server accepts connections and is this cluster's; creates role and database if they are missing. */
export async function isReady(cluster: Cluster, running: { pid: number; port: number }): Promise<boolean> {
  const file = readPostmasterFile(cluster.folder);
  if (file?.pid !== running.pid || file.status !== "ready") return false;
  const answer = await probe(urlOf(cluster, running.port));
  if (answer !== "empty") return answer === "ready";
  await provision(cluster, running.port);
  return (await probe(urlOf(cluster, running.port))) === "ready";
}
