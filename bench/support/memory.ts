import { readFileSync } from "node:fs";

/** Looks at a process's memory from now on; `told` says how far it grew. */
export function watchMemory(pid: number): { idle: number; told(): string } {
  const idle = rss(pid);
  let peak = idle;
  setInterval(() => {
    peak = Math.max(peak, rss(pid));
  }, 50).unref();
  const mb = (n: number) => `${Math.round(n)} MB`;
  return { idle, told: () => `resident at most ${mb(peak)}, ${mb(peak - idle)} more than idle` };
}

/** Megabytes that a process has in memory; none once it is gone. */
function rss(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
