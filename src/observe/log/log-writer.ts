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
/** A log that could not be written for so long says so once it is written again. */
const NOTABLE_MS = 1_000;
/** pino's number for warnings. */
const WARN = 40;
/** Why a write fails: the disk is full, nobody reads, or something else. */
export type LogFault = "full" | "unread" | "other";
const FAULTS: Readonly<Record<string, LogFault>> = { ENOSPC: "full", EDQUOT: "full", EAGAIN: "unread" };

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
  /** Why it cannot be written, and since when. */
  #fault: { fault: LogFault; code: string; since: number } | undefined;
  /** How many lines were left out so far. */
  leftOut = 0;

  constructor(fd: number) {
    this.#fd = fd;
    process.once("exit", () => this.#writeRest());
  }

  /** Takes a line, which ends with a line break. */
  write(line: string): void {
    if (this.#isClosed) return;
    if (this.#length + line.length > MOST) {
      this.#leftOut += 1;
      this.leftOut += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    this.#flushSoon();
  }

  /** How many characters wait to be written. */
  get waiting(): number {
    return this.#length + (this.#again?.length ?? 0);
  }

  /** Why the log cannot be written at this time; undefined if it can. */
  get fault(): LogFault | undefined {
    return this.#fault?.fault;
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
        this.#written();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        this.#isClosed = code === "EPIPE" || code === "EBADF";
        this.#fault ??= { fault: FAULTS[code ?? ""] ?? "other", code: code ?? "", since: performance.now() };
        this.#again = text.subarray(at);
        await sleep(AGAIN_MS, undefined, { ref: false });
        this.#again = undefined;
      }
    }
  }

  /** Some was written: if it was impossible for a while, a line says since when and why. */
  #written(): void {
    const before = this.#fault;
    if (before === undefined) return;
    this.#fault = undefined;
    const ms = performance.now() - before.since;
    if (ms < NOTABLE_MS) return;
    const told = { level: WARN, time: Date.now(), pid: process.pid, for_s: Math.floor(ms / 100) / 10 };
    const msg = "the log could not be written for a while; its lines are late";
    this.write(`${JSON.stringify({ ...told, fault: before.fault, code: before.code, msg })}\n`);
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
