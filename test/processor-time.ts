import { readdirSync, readFileSync } from "node:fs";

/** What /proc counts in: hundredths of a second on every Linux. */
const TICK_MS = 10;

/**
 * Returns the milliseconds of processor time that this process and its descendants have used, those that have ended
 * included; outside of Linux, this process's own.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1_000;
  if (process.platform !== "linux") return own;
  const ended = ticksOf(process.pid)?.reaped ?? 0;
  return own + (ended + ofChildren(process.pid)) * TICK_MS;
}

/** Returns the ticks of a process's descendants that run, and of those that these have waited for. */
function ofChildren(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => {
    const ticks = ticksOf(child);
    return ticks === undefined ? sum : sum + ticks.own + ticks.reaped + ofChildren(child);
  }, 0);
}

/** Returns the processes that any thread of a process has started. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** Returns a process's own ticks and those of its children that have ended; undefined once it is gone. */
function ticksOf(pid: number): { own: number; reaped: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return { own: at(11) + at(12), reaped: at(13) + at(14) };
  } catch {
    return undefined;
  }
}
