import { ApiError } from "../api/api-error.ts";
import { pauseAfter } from "./stream/pause.ts";

/** How long to wait for what belongs together. */
const GATHER_MS = 30;

/** Work that is asked for often and done rarely. */
export interface Paced {
  ask(): void;
  stop(): void;
}

/**
 * Returns work that runs shortly after it is asked for, at most once every `ms`, and never twice at the same time. What is
 * asked for meanwhile runs once more. Work that throws runs again after a pause, unless the service refused what it asked.
 */
export function paced(ms: number, work: () => Promise<unknown>): Paced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isAsked = false;
  let failures = 0;
  const stopping = new AbortController();
  let last = Number.NEGATIVE_INFINITY;
  const ask = () => {
    if (stopping.signal.aborted) return;
    isAsked = true;
    if (isRunning || timer !== undefined) return;
    timer = setTimeout(() => void run(), Math.max(GATHER_MS, last + ms - performance.now()));
  };
  const run = async () => {
    timer = undefined;
    isRunning = true;
    isAsked = false;
    last = performance.now();
    try {
      await work();
      failures = 0;
    } catch (error) {
      if (!isRefusal(error)) {
        isAsked = true;
        await pauseAfter(failures, stopping.signal);
        failures += 1;
      }
    }
    isRunning = false;
    if (isAsked) ask();
  };
  const stop = () => {
    stopping.abort();
    clearTimeout(timer);
  };
  return { ask, stop };
}

/** Whether the same call would be refused again. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;
