import { open } from "node:fs/promises";

/** Makes the renames in a folder survive a power failure, on systems that can sync folders. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}
