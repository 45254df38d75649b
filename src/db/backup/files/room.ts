import { statfs } from "node:fs/promises";

const GIGABYTE = 1_073_741_824;

/** Throws if less than a twentieth of the disk of a folder is free, but never asks for more than a gigabyte. */
export async function checkRoom(folder: string): Promise<void> {
  const { free, least } = await roomOf(folder);
  if (free >= least) return;
  throw new Error(
    `The disk of ${folder} has ${megabytes(free)} left, and backups leave ${megabytes(least)} free. Remove old files, or let BACKUPS name a folder on another disk.`,
  );
}

/** Throws if a backup has no room in a folder to be restored and verified, with what backups leave free. */
export async function checkRoomToVerify(folder: string, bytes: number): Promise<void> {
  const { free, least } = await roomOf(folder);
  if (free - bytes >= least) return;
  throw new Error(
    `The backup was not verified: restoring it takes about ${megabytes(bytes)} in ${folder}, which has ${megabytes(free)} left, and ${megabytes(least)} stay free.`,
  );
}

async function roomOf(folder: string): Promise<{ free: number; least: number }> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return { free: bavail * bsize, least: Math.min(GIGABYTE, (blocks * bsize) / 20) };
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MB`;
