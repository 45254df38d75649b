import { createReadStream } from "node:fs";
import process from "node:process";
import type { Readable } from "node:stream";

/** Where a command prints and reads: this process, or the client of a running instance. */
export interface Terminal {
  /** Prints a line of the result. */
  out(line: string): void;
  /** Prints a line for people, next to the result. */
  err(line: string): void;
  /** Opens a file that the command line names, or standard input. */
  read(path?: string): Readable;
}

/** The terminal of this process. */
export const ownTerminal: Terminal = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  read: (path) => (path === undefined ? process.stdin : createReadStream(path)),
};

/** No password and no mapping is longer. */
const MOST_BYTES = 4_194_304;

/** Returns all of an input as text; `name` is for the error if it is too long. */
export async function readText(input: Readable, name: string): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of input) {
    const bytes = Buffer.from(piece as Buffer);
    length += bytes.length;
    if (length > MOST_BYTES)
      throw new Error(`${name} is longer than ${MOST_BYTES / 1_048_576} MB, so it cannot be what is meant.`);
    pieces.push(bytes);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}
