import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

export interface PostmasterFile {
  pid: number;
  port: number;
  status: string;
}

/** What the server last wrote about itself into its folder, dead or alive. */
export function readPostmasterFile(folder: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    if (!(pid > 0)) return undefined;
    return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? "").trim() };
  } catch {
    return undefined;
  }
}

/** Removes the file of a dead server: its pid may belong to a stranger by now, whom PostgreSQL would respect. */
export function removePostmasterFile(folder: string): void {
  rmSync(join(folder, "postmaster.pid"), { force: true });
}
