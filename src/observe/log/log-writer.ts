import { write, writeSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const writeSome = promisify(write);

/** Lines that follow each other within this time are written together, unless they become too many. */
const TOGETHER_MS = 100;
const TOGETHER = 65_536;
/** So many characters wait for a reader that is slow, or a full disk; further lines are left out, and counted. */
const MOST = 16_777_216;
const AGAIN_MS = 10;
/** How long an exit waits for a reader that takes nothing. */
const LAST_MS = 1_000;
/** pino's number for warnings. */
const WARN = 40;
/** Nothing wakes those who wait for it. */
const STILL = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes the lines of a log to a file descriptor, many at a time, since a write costs more than a line. A slow reader delays nobody:
 * what it does not take waits in memory up to a bound. What still waits when the process exits is written then.
 */
export class LogWriter {
  readonly #fd: number;
  #lines: string[] = [];
  #length = 0;
  #leftOut = 0;
  #isWriting = false;
  /** What could not be written, until it is tried again. */
  #again: Buffer | undefined;
  /** Nobody reads it any more. */
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#fd = fd;
    process.once("exit", () => this.#writeRest());
  }

  /** Takes a line, which ends with a line break. */
  write(line: string): void {
    if (this.#isClosed) return;
    if (this.#length + line.length > MOST) {
      this.#leftOut += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    this.#flushSoon();
  }

  /** Writes what waits before it returns, as far as it is read. */
  #writeRest(): void {
    // A write that is under way may have written a part of a line.
    const before = this.#again ?? (this.#isWriting ? "\n" : "");
    let rest = Buffer.concat([Buffer.from(before), Buffer.from(this.#take())]);
    for (let until = performance.now() + LAST_MS; rest.length > 0 && performance.now() < until; ) {
      const written = this.#writeNow(rest);
      if (written === undefined) return;
      rest = rest.subarray(written);
      if (written > 0) until = performance.now() + LAST_MS;
      else Atomics.wait(STILL, 0, 0, 1);
    }
  }

  /** Returns how many bytes were taken; undefined if none ever will be. */
  #writeNow(text: Buffer): number | undefined {
    try {
      return writeSync(this.#fd, text);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EAGAIN" ? 0 : undefined;
    }
  }

  #flushSoon(): void {
    if (this.#isWriting || this.#length === 0) return;
    if (this.#length >= TOGETHER) void this.#flush();
    else this.#timer ??= setTimeout(() => void this.#flush(), TOGETHER_MS).unref();
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting) return;
    this.#isWriting = true;
    await this.#writeAll(Buffer.from(this.#take()));
    this.#isWriting = false;
    this.#flushSoon();
  }

  async #writeAll(text: Buffer): Promise<void> {
    for (let at = 0; at < text.length && !this.#isClosed; ) {
      try {
        at += (await writeSome(this.#fd, text, at)).bytesWritten;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        this.#isClosed = code === "EPIPE" || code === "EBADF";
        this.#again = text.subarray(at);
        await sleep(AGAIN_MS, undefined, { ref: false });
        this.#again = undefined;
      }
    }
  }

  /** Returns all lines that wait, and how many were left out behind them. */
  #take(): string {
    const lines = this.#lines;
    if (this.#leftOut > 0) {
      const told = { level: WARN, time: Date.now(), pid: process.pid, left_out: this.#leftOut };
      lines.push(
        `${JSON.stringify({ ...told, msg: "lines of the log were left out: it was not written in time" })}\n`,
      );
    }
    this.#lines = [];
    [this.#length, this.#leftOut] = [0, 0];
    return lines.join("");
  }
}

/** The log of a process goes to its standard error. */
export const standardError = new LogWriter(2);
