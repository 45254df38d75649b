import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { failureOf, notLinux } from "../../programs.ts";

/** The mount is visible to the program and its children only, and ends with them. */
const PRIVATE = process.getuid?.() === 0 ? ["--mount"] : ["--mount", "--user", "--map-root-user"];

const MOUNT = 'mount -t tmpfs -o "size=$1,mode=1777" leadgate "$2" && shift 2 && exec "$@"';

/** The beginning of a command line that runs a program which sees a file system of this size at `folder`. */
export const onSmallDisk = (folder: string, megabytes: number): string[] => [
  ...["unshare", ...PRIVATE, "--", "sh", "-c", MOUNT, "sh", `${megabytes}m`, folder],
];

/** Why there can be no small file system here; false if there can. */
export const noSmallDisk =
  notLinux ||
  failureOf([...onSmallDisk("/mnt", 1), "true"], "unshare", { fault: "cannot mount a file system" });

/** The path by which others reach a path as that process sees it. */
export const seenBy = (pid: number, path: string): string => `/proc/${pid}/root${path}`;

/** Fills a file system up to the last byte. Returns a function that frees the space again. */
export function fill(folder: string): () => void {
  const path = join(folder, "full");
  const file = openSync(path, "w");
  const piece = Buffer.alloc(2 ** 16);
  try {
    for (;;) writeSync(file, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
  return () => rmSync(path);
}
