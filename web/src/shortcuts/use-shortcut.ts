import { useEffect, useRef, useSyncExternalStore } from "react";

interface Shortcut {
  keys: string;
  what: string;
}

let known: readonly Shortcut[] = [];
const listeners = new Set<() => void>();

function become(next: readonly Shortcut[]): void {
  known = next;
  for (const tell of listeners) tell();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The active shortcuts, for the help. */
export const useShortcuts = (): readonly Shortcut[] => useSyncExternalStore(subscribe, () => known);

/**
 * Runs a function on a key while the component is shown, and lists the key in the help (`?`). Keys are `e`, `?` or
 * `mod+K`. Ignored while the person types or a dialog is open, unless `always`.
 */
export function useShortcut(
  keys: string,
  what: string,
  run: () => void,
  { always = false, enabled = true }: { always?: boolean; enabled?: boolean } = {},
): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!enabled) return;
    const shortcut = { keys, what };
    become([...known, shortcut]);
    const listener = (event: KeyboardEvent) => {
      if (!matches(event, keys) || event.defaultPrevented || (!always && isBusy(event))) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", listener);
    return () => {
      document.removeEventListener("keydown", listener);
      become(known.filter((each) => each !== shortcut));
    };
  }, [keys, what, always, enabled]);
}

function matches(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    (event.ctrlKey || event.metaKey) === parts.includes("mod") &&
    event.altKey === parts.includes("alt")
  );
}

function isBusy({ target }: KeyboardEvent): boolean {
  const element = target instanceof HTMLElement ? target : undefined;
  const types = element?.matches("input, textarea, select, [contenteditable]") === true;
  return types || document.querySelector('[role="dialog"]') !== null;
}
