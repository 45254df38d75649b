import { useSyncExternalStore } from "react";

let waiting = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  waiting += by;
  for (const tell of listeners) tell();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows that the service is busy until the pause before the next try is over. */
export async function busyDuring(pause: Promise<void>): Promise<void> {
  change(1);
  try {
    await pause;
  } finally {
    change(-1);
  }
}

/** Whether a call waits because the service is busy. */
export const useBusy = (): boolean => useSyncExternalStore(subscribe, () => waiting > 0);
