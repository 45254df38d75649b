import { readdirSync, readFileSync } from "node:fs";

/** What /proc counts in: hundredths of a second on every Linux. */
const TICK_MS = 10;

/**
 * Returns the milliseconds of processor time that this process and its descendants have used, those that have ended
 * included; outside of Linux, this process's own.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + (process.platform === "linux" ? ofDescendants() : 0);
}

function ofDescendants(): number {
  const children = new Map<number, { pid: number; ticks: number }[]>();
  let ended = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = fieldsOf(name);
    if (fields === undefined) continue;
    const [parent, own, reaped] = fields;
    if (Number(name) === process.pid) ended = reaped;
    children.set(parent, [...(children.get(parent) ?? []), { pid: Number(name), ticks: own + reaped }]);
  }
  const below = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + below(child.pid), 0);
  return (ended + below(process.pid)) * TICK_MS;
}

/** Returns a process's parent, its own ticks and those of its children that have ended; undefined once it is gone. */
function fieldsOf(pid: string): [parent: number, own: number, reaped: number] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return [at(1), at(11) + at(12), at(13) + at(14)];
  } catch {
    return undefined;
  }
}
