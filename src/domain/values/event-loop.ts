import { setImmediate } from "node:timers/promises";

const SLICE_MS = 10;

/** A pause that lets the process serve others, taken only when the present turn has lasted 10 ms. */
export function eventLoopYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
