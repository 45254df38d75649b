import { setImmediate } from "node:timers/promises";

const SLICE_MS = 10;

/** Returns a function that yields to the event loop, but only if at least 10 ms have passed since the last yield. */
export function eventLoopYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
