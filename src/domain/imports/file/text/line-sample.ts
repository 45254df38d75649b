import { isAscii } from "node:buffer";

/** A bounded sample of the lines of a file that have non-ASCII bytes, spread over the file. */
export interface LineSample {
  see(chunk: Buffer): void;
  /** The sampled lines: those of the start, those from everywhere, and the unfinished one at the end. */
  lines(): Buffer[];
}

/** The most bytes of all lines, of those at the start, which are always kept, and of one line. */
const MOST = 65_536;
const FIRST = 8_192;
const LONGEST = 1_024;

/** The longest part of a line that is kept because a byte is new in it; at most 128 are. */
const AROUND_NEW = 256;
const LATER = MOST - FIRST - 2 * LONGEST - 128 * AROUND_NEW;

/** How many lines are taken of a chunk once there are enough lines of the start. */
const PER_CHUNK = 8;

/** How many ASCII bytes are skipped at once. */
const BLOCK = 4_096;

/** Returns an empty sample. It gets a line with each byte that the file has, so that no letter is missed. */
export function lineSample(): LineSample {
  const first: Buffer[] = [];
  const withNew: Buffer[] = [];
  let later: Buffer[] = [];
  let [firstSize, laterSize, count, every] = [0, 0, 0, 1];
  let rest: Buffer = Buffer.alloc(0);
  const seen = new Uint8Array(256).fill(1, 0, 0x80);
  const keep = (line: Buffer): void => {
    if (firstSize < FIRST) {
      for (const byte of line) seen[byte] = 1;
      first.push(line);
      firstSize += line.length;
      return;
    }
    count += 1;
    if (count % every !== 0) return;
    later.push(line);
    laterSize += line.length;
    if (laterSize <= LATER) return;
    // Half of the lines go, and from now on half as many come.
    later = later.filter((_, i) => i % 2 === 1);
    laterSize = later.reduce((sum, each) => sum + each.length, 0);
    every *= 2;
  };
  const see = (chunk: Buffer): void => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = endOfLines(bytes);
    rest = Buffer.from(bytes.subarray(end));
    const whole = bytes.subarray(0, end);
    if (isAscii(whole)) return;
    const step = firstSize < FIRST ? 1 : Math.ceil(end / PER_CHUNK);
    for (let at = nonAscii(whole, 0); at < end; ) {
      const line = lineAt(whole, at, LONGEST);
      keep(Buffer.from(whole.subarray(line.start, line.end)));
      at = nonAscii(whole, Math.max(line.end, at + step));
    }
    for (let at = newByte(whole, 0, seen); at < end; at = newByte(whole, at, seen)) {
      const line = lineAt(whole, at, AROUND_NEW);
      withNew.push(Buffer.from(whole.subarray(line.start, line.end)));
      for (const byte of withNew.at(-1) ?? []) seen[byte] = 1;
      seen[whole[at] ?? 0] = 1;
    }
  };
  return { see, lines: () => [...first, ...withNew, ...later, ...(isAscii(rest) ? [] : [rest])] };
}

const isBreak = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;

/** Whether a byte is never the second one of a character of two bytes, so that text may be cut behind it. */
const isSafe = (byte: number | undefined): boolean => byte !== undefined && (byte < 0x30 || byte === 0x3b);

/** Where the last line of a chunk ends; a line longer than those that are kept ends anywhere. */
function endOfLines(bytes: Buffer): number {
  const least = Math.max(0, bytes.length - LONGEST);
  for (let at = bytes.length; at > least; at -= 1) if (isBreak(bytes[at - 1])) return at;
  if (least === 0) return 0;
  for (let at = bytes.length; at > least; at -= 1) if (isSafe(bytes[at - 1])) return at;
  return bytes.length;
}

/** Where the next non-ASCII byte is, or the end. */
function nonAscii(bytes: Buffer, from: number): number {
  let at = from;
  while (at + BLOCK <= bytes.length && isAscii(bytes.subarray(at, at + BLOCK))) at += BLOCK;
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at += 1;
  return at;
}

/** Where the next byte is that was not seen, or the end; ASCII is passed by four bytes at once. */
function newByte(bytes: Buffer, from: number, seen: Uint8Array): number {
  let at = from;
  while (at < bytes.length && (bytes.byteOffset + at) % 4 !== 0) {
    if (seen[bytes[at] ?? 0] === 0) return at;
    at += 1;
  }
  const fours = new Uint32Array(bytes.buffer, bytes.byteOffset + at, (bytes.length - at) >> 2);
  for (let i = 0; i < fours.length; i += 1) {
    if (((fours[i] ?? 0) & 0x80808080) === 0) continue;
    const start = at + 4 * i;
    for (let k = start; k < start + 4; k += 1) if (seen[bytes[k] ?? 0] === 0) return k;
  }
  at += 4 * fours.length;
  while (at < bytes.length && seen[bytes[at] ?? 0] !== 0) at += 1;
  return at;
}

/** The line around a byte, of a long line the part around it, cut where no character is cut. */
function lineAt(bytes: Buffer, at: number, longest: number): { start: number; end: number } {
  let start = at;
  while (start > 0 && at - start < longest / 2 && !isBreak(bytes[start - 1])) start -= 1;
  if (!isBreak(bytes[start - 1])) while (start > 0 && start < at && !isSafe(bytes[start - 1])) start += 1;
  let end = at;
  while (end < bytes.length && end - start < longest && !isBreak(bytes[end])) end += 1;
  if (end < bytes.length && !isBreak(bytes[end])) while (end > at + 1 && !isSafe(bytes[end - 1])) end -= 1;
  return { start, end };
}
