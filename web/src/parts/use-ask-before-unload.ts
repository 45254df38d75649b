import { useEffect } from "react";

/** While `isAsked`, the browser asks before the page is closed or reloaded. */
export function useAskBeforeUnload(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isAsked]);
}
