import { type RefObject, useEffect, useState } from "react";

/** How far beyond the visible part of the board columns load their cards: about four columns. */
const AHEAD = "0px 1200px";

/**
 * Returns whether an element is, or once was, near the visible part of the board. Loading dozens of columns at once
 * keeps React rendering without a pause, until it takes that for an endless loop.
 */
export function useNear(ref: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || near) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: AHEAD, scrollMargin: AHEAD } as IntersectionObserverInit,
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, near]);
  return near;
}
