import { spawnSync } from "node:child_process";
import { lacks } from "../../programs.ts";

/** Why nothing of systemd can be checked here, or false. */
export const noSystemd = lacks("systemd-analyze", "systemd-sysusers");

/** Returns the system calls of each set of systemd: `@system-service`. */
function systemCallSets(): Map<string, string[]> {
  const { stdout } = spawnSync("systemd-analyze", ["syscall-filter"], { encoding: "utf8" });
  const sets = new Map<string, string[]>();
  let names: string[] = [];
  for (const line of stdout.split("\n")) {
    if (line.startsWith("@")) {
      names = [];
      sets.set(line.trim(), names);
    } else if (/^ +[@a-z0-9_-]+$/.test(line)) names.push(line.trim());
  }
  return sets;
}

/** Returns a profile for containers that allows what the SystemCallFilter lines of a unit allow. */
export function profileOf(unit: string): object {
  const sets = systemCallSets();
  const callsIn = (name: string): string[] =>
    name.startsWith("@") ? (sets.get(name) ?? []).flatMap(callsIn) : [name];
  const lines = [...unit.matchAll(/^SystemCallFilter=(~?)(.+)$/gm)];
  const calls = (without: boolean) =>
    lines.filter(([, sign]) => (sign === "~") === without).flatMap(([, , names = ""]) => names.split(" "));
  const denied = new Set(calls(true).flatMap(callsIn));
  const allowed = calls(false).flatMap(callsIn);
  // systemd adds what every program needs
  const names = new Set([...allowed.filter((name) => !denied.has(name)), ...callsIn("@default")]);
  if (names.size < 100) throw new Error("the unit allows hardly any system calls");
  return {
    ...{ defaultAction: "SCMP_ACT_ERRNO", defaultErrnoRet: 1 },
    syscalls: [{ names: [...names], action: "SCMP_ACT_ALLOW" }],
  };
}
