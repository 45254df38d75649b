import { useSyncExternalStore } from "react";
import type { Me } from "../../../src/contract/me.ts";

interface Session {
  me: Me;
  /** Whether the session has ended while the panel was open. */
  over: boolean;
}

const given = document.querySelector<HTMLMetaElement>('meta[name="leadgate-me"]')?.content ?? "null";
let session: Session = { me: JSON.parse(given), over: false };
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const tell of listeners) tell();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): Session => useSyncExternalStore(subscribe, () => session);

export const presentMe = (): Me => session.me;

/** Marks the session as ended; the panel then leads to sign-in. */
export const sessionOver = (): void => become({ ...session, over: true });

/** Replaces who is signed in: the same person, with what has changed since. */
export const setMe = (me: Me): void => become({ me, over: false });
