import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether a process with this pid exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  if (process.platform !== "linux") return true;
  const stat = readProc(pid, "stat");
  return stat !== undefined && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

/** Whether the process is a server process of this cluster; without /proc, whether it is alive. */
export function isServerProcess(pid: number, cluster: { folder: string; name: string }): boolean {
  if (process.platform !== "linux") return isAlive(pid);
  // All users can read the command line, unlike cwd or exe of another user's process.
  const line = readProc(pid, "cmdline");
  if (!line) return false;
  return line.includes(`\0-D\0${cluster.folder}\0`) || line.startsWith(`postgres: ${cluster.name}: `);
}

/** All server processes of this cluster, including orphans of a killed postmaster (Linux only). */
export function serverProcesses(cluster: { folder: string; name: string }): number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => isServerProcess(pid, cluster));
}

/** Waits until the condition holds; returns false if it still does not after `ms` milliseconds. */
export async function until(condition: () => boolean, ms: number, every = 10): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await sleep(every);
  }
  return true;
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}
