import { useEffect, useRef, useSyncExternalStore } from "react";

/** A command of the current screen, for the palette. */
export interface Command {
  name: string;
  run(): void;
}

let present: readonly Command[] = [];
const listeners = new Set<() => void>();

function become(next: readonly Command[]): void {
  present = next;
  for (const tell of listeners) tell();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useCommands = (): readonly Command[] => useSyncExternalStore(subscribe, () => present);

/** Adds a command to the palette while the component is shown; `undefined` adds nothing. */
export function useCommand(name: string, run: (() => void) | undefined): void {
  const latest = useRef(run);
  latest.current = run;
  const offered = run !== undefined;
  useEffect(() => {
    if (!offered) return;
    const command: Command = { name, run: () => latest.current?.() };
    become([...present, command]);
    return () => become(present.filter((each) => each !== command));
  }, [name, offered]);
}
