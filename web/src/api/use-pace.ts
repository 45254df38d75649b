import { useRef } from "react";

/**
 * Returns how long to wait before polling again, in ms: short at first, then longer, up to five seconds. React Query's
 * refetchInterval pauses in hidden windows.
 */
const waitAfter = (ms: number): number => Math.min(5_000, Math.max(400, ms / 6));

/** Returns a `refetchInterval`: paced while `busy` is true for the data, otherwise off. */
export function usePace<T>(
  busy: (data: T) => boolean,
): (query: { state: { data: T | undefined } }) => number | false {
  const since = useRef<number>(undefined);
  return ({ state: { data } }) => {
    if (data === undefined || !busy(data)) {
      since.current = undefined;
      return false;
    }
    since.current ??= Date.now();
    return waitAfter(Date.now() - since.current);
  };
}
