import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Returns the megabytes (1,048,576 bytes) that a folder takes on the disk, as `du -sm` counts them, without links. */
export function megabytes(folder: string): number {
  return Math.ceil(blocksOf(folder, new Set()) / 2_048);
}

/** In blocks of 512 bytes. A file with several names counts once. */
function blocksOf(path: string, seen: Set<number>): number {
  const { blocks, ino } = lstatSync(path);
  if (seen.has(ino)) return 0;
  seen.add(ino);
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : [];
  return inside.reduce((sum, name) => sum + blocksOf(join(path, name), seen), blocks);
}
