import { readdirSync, readFileSync } from "node:fs";

/** The clock ticks of a second in /proc, on every Linux that Node.js runs on. */
const TICKS = 100;

/** Returns the processor time that a process has used, in seconds; with `whole`, that of its children, ended or not, too. */
export function cpuSeconds(pid: number, whole = false): number {
  const fields = statOf(pid);
  const own = (Number(fields[11]) + Number(fields[12])) / TICKS;
  if (!whole) return own;
  const ended = (Number(fields[13]) + Number(fields[14])) / TICKS;
  return own + ended + childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child, true), 0);
}

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

const childrenOf = (pid: number): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))[1] === String(pid))
    .map(Number);
