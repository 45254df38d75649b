/**
 * Waits for work, but no longer than so many milliseconds. Returns whether it has ended; what takes longer goes on, and
 * its error is then ignored.
 */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.max(0, ms));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Gives up waiting for an answer after so many milliseconds, unless the function that this returns is called before. If
 * the process was busy for as long, answers that have arrived meanwhile are read first.
 */
export function unlessRead(ms: number, giveUp: () => void): () => void {
  let stopped = false;
  // Twice: what is encrypted, or long, may take another round of the event loop.
  const timer = setTimeout(() => setImmediate(() => setImmediate(() => stopped || giveUp())), ms);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
