import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedError } from "../host/embedded-error.ts";
import { freePort } from "../host/free-port.ts";
import { readPostmasterFile } from "../host/postmaster-file.ts";
import type { RunAs } from "../host/run-as.ts";
import { lastWords } from "../host/server-log.ts";
import type { Cluster } from "./cluster.ts";
import { spawnServer } from "./launch.ts";
import { shutDown } from "./shut-down.ts";

/** Where a recovery stops: at a restore point, at a time, or at the end of the log. */
export type Target = { point: string } | { time: Date } | "end";

/** What a recovery reached, in PostgreSQL's own words. */
export interface Reached {
  /** When the last transaction ended that was applied from the log; undefined if there was none. */
  time: Date | undefined;
}

/**
 * Applies the log in `pg_wal` to files of a base backup (PostgreSQL: Continuous Archiving, Recovery), until the server could be opened,
 * then stops it and gives the superuser the password of the cluster. Throws if the log ends before the target.
 */
export async function recover(cluster: Cluster, runAs: RunAs, target: Target): Promise<Reached> {
  await writeFile(join(cluster.folder, "recovery.signal"), "");
  await rm(cluster.logFile, { force: true });
  const { running, hasExited } = await spawnServer(cluster, runAs, await freePort(), {
    // All of the log is in pg_wal already. A command that finds nothing is required.
    restore_command: "exit 1",
    hot_standby: "off",
    recovery_target_action: "promote",
    ...settingsOf(target),
  });
  while (readPostmasterFile(cluster.folder)?.status !== "ready") {
    if (hasExited()) {
      const words = lastWords(cluster.logFile);
      throw new EmbeddedError(`PostgreSQL could not restore ${cluster.folder}: ${words}`);
    }
    await sleep(50);
  }
  await shutDown(running, runAs, cluster);
  await setPassword(cluster, runAs);
  const words = await readFile(cluster.logFile, "utf8");
  const [, day, time] = /last completed transaction was at log time (\S+) (\S+)\+00/.exec(words) ?? [];
  return { time: day === undefined ? undefined : new Date(`${day}T${time?.slice(0, 12)}Z`) };
}

function settingsOf(target: Target): Record<string, string> {
  if (target === "end") return {};
  if ("point" in target) return { recovery_target_name: target.point };
  // Everything that was committed at this time or before. The name of a zone, even Z, is not understood here.
  const time = target.time.toISOString().replace("Z", "+00");
  return { recovery_target_time: time, recovery_target_inclusive: "on" };
}

/** Sets the superuser's password in single-user mode, which asks for none; that of the service's role is set at the next start. */
async function setPassword({ folder, passwords }: Cluster, runAs: RunAs): Promise<void> {
  const { file, args, options } = runAs.command(runAs.binaries.postgres, [
    "--single",
    "-D",
    folder,
    "postgres",
  ]);
  const child = spawn(file, args, { ...options, stdio: ["pipe", "ignore", "pipe"] });
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  // The password is hexadecimal.
  child.stdin?.end(`ALTER ROLE postgres PASSWORD '${passwords.postgres}'\n`);
  if ((await ended) !== 0 || /ERROR|FATAL|PANIC/.test(complaint))
    throw new EmbeddedError(`the password of the restored database could not be set: ${complaint.trim()}`);
}
