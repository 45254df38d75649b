import { rmSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { isStoreAddress, readStoreAddress, storeName } from "../core/store-address.ts";
import { type Options, text } from "./command.ts";

/** Where in a temporary folder the files of a store are. */
export const fetchedInto = (scratch: string): string => join(scratch, "store");

/** The folder of `--scratch`, if it is given. */
export const scratchOf = (options: Options): string | undefined =>
  options.scratch === undefined ? undefined : text(options, "scratch");

/**
 * Does work in a temporary folder in `parent` (by default that of the system), which is then removed; root's database user must be
 * able to enter it. If `place` is a store, errors name
 * it instead of the folder with its files.
 */
export async function inScratch<T>(
  { parent, place = "" }: { parent?: string | undefined; place?: string },
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  const scratch = await mkdtemp(join(resolve(parent ?? tmpdir()), "leadgate-restore-"));
  if (process.getuid?.() === 0) await chmod(scratch, 0o711);
  const give = () => {
    // A server that runs in it ends when its files are gone.
    rmSync(scratch, { recursive: true, force: true });
    process.exit(1);
  };
  for (const event of ENDINGS) process.once(event, give);
  // The channel to the process that started this one does not keep it alive.
  process.channel?.unref();
  try {
    return await work(scratch);
  } catch (error) {
    if (error instanceof Error && isStoreAddress(place))
      error.message = error.message.replaceAll(fetchedInto(scratch), storeName(readStoreAddress(place)));
    throw isFull(error)
      ? new Error(
          `The disk of ${dirname(scratch)} is full. Free some room, or name a folder on another disk.`,
          {
            cause: error,
          },
        )
      : error;
  } finally {
    for (const event of ENDINGS) process.removeListener(event, give);
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What ends a command in the middle: signals, and the end of the process that started it. */
const ENDINGS = ["SIGINT", "SIGTERM", "disconnect"] as const;

const isFull = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === "ENOSPC" ||
  /No space left on device/.test((error as Error).message);

/** Shows how many bytes were copied or fetched, in place, on a terminal. */
export function progressTold(verb: string): { tell(bytes: number): void; end(): void } {
  const isSeen = process.stderr.isTTY;
  return {
    tell: (bytes) => void (isSeen && process.stderr.write(`\r${Math.round(bytes / 1_048_576)} MB ${verb} `)),
    end: () => void (isSeen && process.stderr.write("\r\u001b[K")),
  };
}
