import { type FileHandle, open } from "node:fs/promises";
import { within } from "../../core/within.ts";

/** How many characters wait for a slow disk at most; lines beyond are lost. */
const MOST_WAITING = 4 * 1_024 * 1_024;
const TOLD_EVERY_MS = 60_000;
const CLOSE_MS = 1_000;

/**
 * A file that lines are appended to, one write at a time. A fault, such as a full disk, loses lines but does not disturb
 * the service: `onFault` is called at most once a minute.
 */
export class LogFile {
  readonly #path: string;
  readonly #onFault: (error: Error) => void;
  #handle: FileHandle;
  #waiting: string[] = [];
  #size = 0;
  #mustReopen = false;
  #work: Promise<void> | undefined;
  /** Whether a write may have stopped in the middle of a line. */
  #broken = false;
  #toldAt = Number.NEGATIVE_INFINITY;

  private constructor(path: string, handle: FileHandle, onFault: (error: Error) => void) {
    this.#path = path;
    this.#handle = handle;
    this.#onFault = onFault;
  }

  /** Opens the file, or creates it; throws if that fails. */
  static async open(path: string, onFault: (error: Error) => void): Promise<LogFile> {
    return new LogFile(path, await opened(path), onFault);
  }

  write(line: string): void {
    if (this.#size + line.length > MOST_WAITING) {
      this.#tell(new Error("lines come faster than the disk takes them"));
      return;
    }
    this.#waiting.push(line);
    this.#size += line.length;
    this.#start();
  }

  /** Opens the path again, after another program has renamed the file. */
  reopen(): void {
    this.#mustReopen = true;
    this.#start();
  }

  /** Writes what waits, unless the disk hangs, and closes the file. */
  async close(): Promise<void> {
    if (this.#work !== undefined) await within(CLOSE_MS, this.#work);
    await within(CLOSE_MS, this.#handle.close());
  }

  #start(): void {
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
    });
  }

  async #run(): Promise<void> {
    // What one turn of the event loop writes goes out together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0 || this.#mustReopen) {
      try {
        await this.#step();
      } catch (error) {
        this.#tell(error as Error);
      }
    }
  }

  async #step(): Promise<void> {
    if (this.#mustReopen) {
      this.#mustReopen = false;
      const [before, next] = [this.#handle, await opened(this.#path)];
      [this.#handle, this.#broken] = [next, false];
      await before.close();
    }
    const text = `${this.#broken ? "\n" : ""}${this.#waiting.join("")}`;
    [this.#waiting, this.#size, this.#broken] = [[], 0, true];
    await this.#handle.appendFile(text);
    this.#broken = false;
  }

  #tell(error: Error): void {
    if (performance.now() - this.#toldAt < TOLD_EVERY_MS) return;
    this.#toldAt = performance.now();
    this.#onFault(error);
  }
}

const opened = (path: string): Promise<FileHandle> => open(path, "a", 0o640);
