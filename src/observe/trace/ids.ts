import { randomFillSync } from "node:crypto";

// Random bytes are fetched in bulk, because every request needs some.
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Random hex characters for this many bytes, which are not all zero. */
function hexOf(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const text = pool.toString("hex", used, used + bytes);
  used += bytes;
  return /^0+$/.test(text) ? hexOf(bytes) : text;
}

/** 16 random bytes in hex. */
export const newTraceId = (): string => hexOf(16);

/** 8 random bytes in hex. */
export const newSpanId = (): string => hexOf(8);

const ALL = 2 ** 56;

/** Whether a ratio of all traces includes this one: by its last 56 bits, which are random (W3C Trace Context level 2). */
export const includes = (ratio: number, traceId: string): boolean =>
  ratio >= 1 || (ratio > 0 && Number.parseInt(traceId.slice(-14), 16) < ratio * ALL);
