import { useRef } from "react";

/**
 * How long to wait before something that works is asked about again: soon at first, then more and more rarely, up to five
 * seconds. Hidden windows do not ask at all (React Query's refetchInterval stops there).
 */
const waitAfter = (ms: number): number => Math.min(5_000, Math.max(400, ms / 6));

/** A `refetchInterval`: paced while `busy` says so of the data, else none. */
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
