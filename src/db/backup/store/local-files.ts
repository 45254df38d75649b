import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Which files of a folder belong in a store. Paths are relative to the folder, with slashes. */
export interface Selection {
  folder: string;
  /** Whether a file is complete, and never changes again. */
  isComplete(path: string): boolean;
  /** Whether a file completes the folder that it is in, as backup.json does: it is sent after all others of it. */
  isLast(path: string): boolean;
}

/** A complete file of a folder. */
export interface LocalFile {
  path: string;
  bytes: number;
  /** When it was complete, in milliseconds since 1970: a folder with a last file is complete with that. */
  completed: number;
  /** The folder that is complete with its last file; undefined for a file on its own. */
  set: string | undefined;
}

/** The complete files of a folder in the order in which they are sent: the oldest first, of a folder its last file at the end. */
export async function localFiles({ folder, isComplete, isLast }: Selection): Promise<LocalFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length).replaceAll("\\", "/"))
    .filter(isComplete);
  const found = (await Promise.all(paths.map((path) => fileAt(folder, path)))).flatMap((file) => file ?? []);
  const sets = new Map(
    found
      .filter(({ path }) => isLast(path))
      .map(({ path, completed }) => [parentOf(path), completed] as const),
  );
  for (const file of found) {
    file.set = [...parentsOf(file.path)].find((parent) => sets.has(parent));
    if (file.set !== undefined) file.completed = sets.get(file.set) ?? file.completed;
  }
  const rank = ({ path }: LocalFile) => (isLast(path) ? 1 : 0);
  return found.sort((a, b) => a.completed - b.completed || rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
}

/** Undefined if the file was removed meanwhile. */
async function fileAt(folder: string, path: string): Promise<LocalFile | undefined> {
  const found = await stat(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return found && { path, bytes: found.size, completed: found.mtimeMs, set: undefined };
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The folders around a file, the innermost first; the last is the folder itself, as "". */
function* parentsOf(path: string): Generator<string> {
  for (let parent = path; parent !== ""; ) {
    parent = parentOf(parent);
    yield parent;
  }
}
