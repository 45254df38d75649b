import { setImmediate } from "node:timers/promises";

const TURN_MS = 10;

/** A pause that lets the process serve others, taken only when the present turn has lasted 10 ms. */
export function takeTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
