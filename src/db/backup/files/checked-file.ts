import { createHash } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../../embedded/host/sync-folder.ts";
import { Damaged } from "./damaged.ts";

const EMPTY = `\n  "sha256": ""\n}\n`;
const FULL = /\n {2}"sha256": "([0-9a-f]{64})"\n\}\n$/;

/** A value as JSON that ends with the checksum of all of its bytes. */
export function checkedText(value: object): string {
  const bare = `${JSON.stringify({ ...value, sha256: "" }, undefined, 2)}\n`;
  return bare.slice(0, -EMPTY.length) + EMPTY.replace('""', `"${hashOf(bare)}"`);
}

/** Replaces a file by a value with a checksum; the new file survives a power failure. */
export async function writeChecked(path: string, value: object, mode = 0o600): Promise<void> {
  const file = await open(`${path}.new`, "w", mode);
  try {
    await file.writeFile(checkedText(value));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
}

/**
 * Reads a value that has a checksum; undefined if there is no file. Throws `Damaged` if the file is not as it was written. `isOlder`
 * returns whether a value was written by a release without checksums.
 */
export async function readChecked<T extends object>(
  path: string,
  isOlder: (value: T) => boolean = () => false,
): Promise<T | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  return text === undefined ? undefined : valueIn(path, text, isOlder);
}

/** Reads the text of a file that has a checksum; throws `Damaged` if it is not as it was written. */
export function valueIn<T extends object>(
  path: string,
  text: string,
  isOlder: (value: T) => boolean = () => false,
): T {
  const value = parsed<T>(text);
  const [mark, sum] = FULL.exec(text) ?? [];
  if (value !== undefined && mark === undefined && isOlder(value)) return value;
  const isWhole = value !== undefined && mark !== undefined && hashOf(text.replace(mark, EMPTY)) === sum;
  if (!isWhole) throw new Damaged(`${path} is cut off or not as it was written.`);
  return value;
}

function parsed<T extends object>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
