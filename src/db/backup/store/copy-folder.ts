import { join } from "node:path";
import { localFiles, type Selection } from "./local-files.ts";
import type { Store } from "./store.ts";

interface CopyOptions {
  signal?: AbortSignal | undefined;
  /** Receives the bytes that were copied up to now. */
  onProgress?: ((bytes: number) => void) | undefined;
}

/** Sends the complete files of a folder to keys under `to`, all of them, in the order that a Follower has. */
export async function sendFolder(
  store: Store,
  selection: Selection,
  to: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<void> {
  let done = 0;
  for (const { path, bytes } of await localFiles(selection)) {
    await store.put(join(selection.folder, path), `${to}${path}`, { signal });
    done += bytes;
    onProgress?.(done);
  }
}

/** Writes the files whose keys start with `from` into a folder, without that start; returns how many. */
export async function fetchFolder(
  store: Store,
  from: string,
  folder: string,
  { signal, onProgress, wants = () => true }: CopyOptions & { wants?: (path: string) => boolean } = {},
): Promise<number> {
  let [count, done] = [0, 0];
  for await (const { key, bytes } of store.list(from, { signal })) {
    const path = key.slice(from.length);
    // A key that leaves the folder is not one that Leadgate wrote.
    if (path.split("/").some((name) => ["", ".", ".."].includes(name)) || path.includes("\\") || !wants(path))
      continue;
    await store.get(key, join(folder, path), { signal });
    count += 1;
    done += bytes;
    onProgress?.(done);
  }
  return count;
}
