import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** The systems allow 107 bytes on Linux and 103 on macOS. */
const LONGEST = 100;

/** Where an instance listens for commands; `release` once the path is not used any more. */
export interface Place {
  path: string;
  release(): void;
}

/** The folder of the socket in a data folder. Only the user of the service and root can enter it. */
export const folderOf = (dataDir: string): string => join(dataDir, "commands");

/** The socket in this folder; Windows has named pipes instead. */
export const socketIn = (folder: string): string => join(folder, "socket");

/** Returns the path for the calls of the system, by the folder's descriptor on Linux if the path itself is too long. */
export function placeOf(dataDir: string): Place {
  if (process.platform === "win32") return { path: pipeOf(dataDir), release: () => undefined };
  const path = socketIn(folderOf(dataDir));
  if (Buffer.byteLength(path) <= LONGEST || process.platform !== "linux")
    return { path, release: () => undefined };
  const descriptor = openSync(folderOf(dataDir), "r");
  return { path: socketIn(`/proc/self/fd/${descriptor}`), release: () => closeSync(descriptor) };
}

/** Windows ignores upper and lower case in paths. */
const pipeOf = (dataDir: string): string =>
  `\\\\.\\pipe\\leadgate-${createHash("sha256").update(dataDir.toLowerCase()).digest("hex").slice(0, 16)}`;
