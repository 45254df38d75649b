import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

export interface PostmasterFile {
  pid: number;
  port: number;
  status: string;
}

/** What the server last wrote about itself into its folder; the server may be dead. */
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

/** Removes the file of a dead server: PostgreSQL would not start if an unrelated process now has its pid. */
export function removePostmasterFile(folder: string): void {
  rmSync(join(folder, "postmaster.pid"), { force: true });
}
