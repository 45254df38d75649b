import { readdirSync, readFileSync } from "node:fs";

/** The clock ticks of a second in /proc, on every Linux that Node.js runs on. */
const TICKS = 100;

/** Returns the processor time that a process has used, in seconds; with `whole`, that of its children, ended or not, too. */
export function cpuSeconds(pid: number, whole = false): number {
  if (!whole) return secondsOf(pid, false);
  for (;;) {
    const children = descendantsOf(pid);
    const seconds = [pid, ...children].reduce((sum, one) => sum + secondsOf(one, true), 0);
    // The time of a child that ends between two reads would be counted twice or not at all.
    if (String(descendantsOf(pid)) === String(children)) return seconds;
  }
}

/** The time of a process in user and system mode, if asked for with that of its ended children. */
const secondsOf = (pid: number, withEnded: boolean): number =>
  statOf(pid)
    .slice(11, withEnded ? 15 : 13)
    .reduce((sum, field) => sum + Number(field), 0) / TICKS;

/** The fields of /proc/PID/stat from the third on; zeros once the process has ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the command, in parentheses, may contain blanks.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return Array.from({ length: 20 }, () => "0");
  }
}

function descendantsOf(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(Number(name))[1])] as const);
  const below = (parent: number): number[] =>
    parents.flatMap(([child, of]) => (of === parent ? [child, ...below(child)] : []));
  return below(pid);
}
