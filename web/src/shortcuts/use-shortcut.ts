import { useEffect, useRef, useSyncExternalStore } from "react";
import { presentMe } from "../session/session.ts";

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

/** Whether a shortcut is a character alone, which speech input and stray keys can trigger (WCAG 2.1.4). */
const isSingle = (keys: string): boolean => [...keys].length === 1;

/**
 * Runs a function on a key while the component is shown, and lists the key in the help (`?`). Keys are `e`, `?` or
 * `mod+K`. Ignored while the person types or a dialog is open, unless `always`. A single character is also ignored
 * while a control has the focus, unless it is the control's `own` key, and by people who turned such shortcuts off.
 */
export function useShortcut(
  keys: string,
  what: string,
  run: () => void,
  {
    always = false,
    enabled = true,
    own,
  }: { always?: boolean; enabled?: boolean; own?: (focused: Element) => boolean } = {},
): void {
  const latest = useRef({ run, own });
  latest.current = { run, own };
  useEffect(() => {
    if (!enabled || (isSingle(keys) && !presentMe().singleKeys)) return;
    const shortcut = { keys, what };
    become([...known, shortcut]);
    const listener = (event: KeyboardEvent) => {
      if (!matches(event, keys) || event.defaultPrevented || (!always && isBusy(event))) return;
      const { run: act, own: isOwn } = latest.current;
      const focused = event.target instanceof Element ? event.target.closest(CONTROLS) : null;
      if (isSingle(keys) && focused !== null && !isOwn?.(focused)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listener);
    return () => {
      document.removeEventListener("keydown", listener);
      become(known.filter((each) => each !== shortcut));
    };
  }, [keys, what, always, enabled]);
}

/** Whatever reacts to keys. */
const CONTROLS = [
  ...["a[href]", "button", "input", "textarea", "select", "summary", "[contenteditable]"],
  ..."button checkbox combobox grid gridcell menuitem option radio slider switch tab textbox treeitem"
    .split(" ")
    .map((role) => `[role="${role}"]`),
  ...['[role^="menuitem"]', '[tabindex="0"]'],
].join(", ");

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
