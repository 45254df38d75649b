import { useEffect, useSyncExternalStore } from "react";

/** The editors with unsaved text, each with the function that discards it. */
const editors = new Map<symbol, () => void>();
const listeners = new Set<() => void>();

const tell = (): void => {
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether anything on the screen is not saved. */
export const hasUnsaved = (): boolean => editors.size > 0;

/** Whether anything on the screen is not saved; renders again when that changes. */
export const useHasUnsaved = (): boolean => useSyncExternalStore(subscribe, hasUnsaved);

/** Discards what is not saved, after the person has said so. */
export function discardUnsaved(): void {
  const all = [...editors.values()];
  for (const discard of all) discard();
}

/** While `isUnsaved`, leaving the screen asks first; `discard` deletes what was typed if the person leaves. */
export function useUnsaved(isUnsaved: boolean, discard?: () => void): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const editor = Symbol("editor");
    editors.set(editor, discard ?? (() => undefined));
    tell();
    return () => {
      editors.delete(editor);
      tell();
    };
  }, [isUnsaved, discard]);
}
