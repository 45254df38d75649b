import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What the systems allow is 107 bytes on Linux and 103 on macOS. */
const LONGEST = 100;

/** Where a server on this port has its socket; its lock file stands beside it. */
export const socketOf = (folder: string, port: number): string => join(folder, `.s.PGSQL.${port}`);

/**
 * The folder for the server's socket: its own, which nobody else may enter. None where the path would be too long, and
 * on Windows; then it is reached over the loopback address, where a round trip costs a tenth to a half more.
 */
export const socketFolder = (folder: string, port: number): string =>
  process.platform === "win32" || Buffer.byteLength(socketOf(folder, port)) > LONGEST ? "" : folder;

/** Removes what dead servers left; a lock file's pid may belong to a stranger by now, whom PostgreSQL would respect. */
export function removeSockets(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(".s.PGSQL.")) rmSync(join(folder, name), { force: true });
  }
}
