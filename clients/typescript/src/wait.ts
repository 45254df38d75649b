import type { LeadgateError } from "./error.ts";

/** Resolves after `ms` milliseconds; rejects with the signal's reason if it aborts before. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Waits before another attempt: as long as `Retry-After` says, otherwise one second, then two, four and so on. Throws
 * the error if that is longer than `longestWait` milliseconds.
 */
export async function waitAfter(
  error: LeadgateError,
  {
    attempt,
    longestWait = 60_000,
    signal,
  }: { attempt: number; longestWait?: number | undefined; signal?: AbortSignal | undefined },
): Promise<void> {
  const pause = 1_000 * (error.retryAfter ?? 2 ** (attempt - 1));
  if (pause > longestWait) throw error;
  await wait(pause * spread(), signal);
}

/** A factor from 1 to 1.25, so that callers that were refused together do not all come back at once. */
const spread = (): number => 1 + Math.random() / 4;
