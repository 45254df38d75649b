import { useState } from "react";
import { type Fixes, keepFixes, keptFixes } from "./fixes.ts";

/** What was fixed of an import's failed rows. */
export function useFixes(id: string): [Fixes, (fixes: Fixes) => void] {
  const [fixes, setFixes] = useState(() => keptFixes(id));
  return [
    fixes,
    (next) => {
      keepFixes(id, next);
      setFixes(next);
    },
  ];
}
