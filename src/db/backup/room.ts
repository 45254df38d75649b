import { statfs } from "node:fs/promises";

const GIGABYTE = 1_073_741_824;

/** Throws if less than a twentieth of the disk of a folder is free, but never asks for more than a gigabyte. */
export async function checkRoom(folder: string): Promise<void> {
  const { bsize, blocks, bavail } = await statfs(folder);
  const least = Math.min(GIGABYTE, (blocks * bsize) / 20);
  const free = bavail * bsize;
  if (free >= least) return;
  const megabytes = (bytes: number) => `${Math.floor(bytes / 1_048_576)} MB`;
  throw new Error(
    `The disk of ${folder} has ${megabytes(free)} left, and backups leave ${megabytes(least)} free. Remove old files, or let BACKUPS name a folder on another disk.`,
  );
}
