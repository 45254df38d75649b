import { spread } from "../../api/repeat.ts";

const LONGEST_MS = 30_000;

/**
 * Waits before another try, longer after each failure, at least `atLeast` ms; but not longer than until the browser is
 * online again.
 */
export function pauseAfter(failures: number, signal: AbortSignal, atLeast = 0): Promise<void> {
  const ms = Math.max(atLeast, Math.min(LONGEST_MS, 500 * 2 ** failures) * spread());
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
