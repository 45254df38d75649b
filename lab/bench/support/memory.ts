import { readFileSync } from "node:fs";

/** Starts to watch a process's memory; `told` reports how far it grew. */
export function watchMemory(pid: number): { idle: number; told(): string } {
  const idle = rss(pid);
  let peak = idle;
  setInterval(() => {
    peak = Math.max(peak, rss(pid));
  }, 50).unref();
  const mb = (n: number) => `${Math.round(n)} MB`;
  return { idle, told: () => `resident at most ${mb(peak)}, ${mb(peak - idle)} more than idle` };
}

/** Returns a process's resident megabytes; zero once it has ended. */
function rss(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
