import { useEffect, useMemo, useRef } from "react";
import { type Paced, paced } from "./paced.ts";

/** The same for a component: the work is that of the last rendering, and stops with the component. */
export function usePaced(ms: number, work: () => Promise<unknown>): Paced["ask"] {
  const latest = useRef(work);
  latest.current = work;
  const running = useRef<Paced>(undefined);
  useEffect(() => {
    const made = paced(ms, () => latest.current());
    running.current = made;
    return () => {
      made.stop();
      running.current = undefined;
    };
  }, [ms]);
  return useMemo(() => () => running.current?.ask(), []);
}
