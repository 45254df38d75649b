import { readFile } from "node:fs/promises";

/** How many file descriptors this process may have open; undefined where the system does not have it in /proc. */
export async function mostDescriptors(): Promise<number | undefined> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  // Node raises the soft limit to the hard one when it starts.
  const [, most] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return most === undefined ? undefined : Number(most);
}
