import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The systems allow 107 bytes on Linux and 103 on macOS. */
const LONGEST = 100;

/** The path of the socket of a server on this port; its lock file is next to it. */
export const socketOf = (folder: string, port: number): string => join(folder, `.s.PGSQL.${port}`);

/**
 * The folder of the server's socket: the cluster's own, which no other user may enter. Empty on Windows and if the
 * path would be too long; the loopback address, which is a tenth to a half slower, is used then.
 */
export const socketFolder = (folder: string, port: number): string =>
  process.platform === "win32" || Buffer.byteLength(socketOf(folder, port)) > LONGEST ? "" : folder;

/**
 * Removes the sockets of dead servers: PostgreSQL would not start if an unrelated process now has the pid in a lock
 * file.
 */
export function removeSockets(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(".s.PGSQL.")) rmSync(join(folder, name), { force: true });
  }
}
