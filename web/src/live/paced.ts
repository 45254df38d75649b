/** How long to wait for what belongs together. */
const GATHER_MS = 30;

/** Work that is asked for often and done rarely. */
export interface Paced {
  ask(): void;
  stop(): void;
}

/**
 * Returns work that runs shortly after it is asked for, at most once every `ms`, and never twice at the same time. What is
 * asked for meanwhile runs once more.
 */
export function paced(ms: number, work: () => Promise<unknown>): Paced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isAsked = false;
  let isStopped = false;
  let last = Number.NEGATIVE_INFINITY;
  const ask = () => {
    if (isStopped) return;
    isAsked = true;
    if (isRunning || timer !== undefined) return;
    timer = setTimeout(() => void run(), Math.max(GATHER_MS, last + ms - performance.now()));
  };
  const run = async () => {
    timer = undefined;
    isRunning = true;
    isAsked = false;
    last = performance.now();
    await work().catch(() => undefined);
    isRunning = false;
    if (isAsked) ask();
  };
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { ask, stop };
}
