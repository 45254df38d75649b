import { useSyncExternalStore } from "react";
import type { Me } from "../../../src/contract/nouns/me.ts";

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

/** Signs out, deletes what this tab keeps for the person, and goes to sign-in. */
export async function signOut(): Promise<void> {
  await fetch("/panel/api/sign-out", { method: "POST", headers: { "X-Form-Token": session.me.token } });
  sessionStorage.clear();
  location.assign("/sign-in");
}

/** Marks the session as ended; the panel then leads to sign-in. */
export const sessionOver = (): void => become({ ...session, over: true });

/** Reloads who is signed in, for example after a role changed. Returns false if it is another person now, or nobody. */
export async function refreshMe(): Promise<boolean> {
  const response = await fetch("/panel/api/me");
  if (response.status === 401) sessionOver();
  if (!response.ok) return false;
  const me: Me = await response.json();
  if (me.person.id !== session.me.person.id) {
    location.reload();
    return false;
  }
  become({ me, over: false });
  return true;
}
