import { useSyncExternalStore } from "react";
import type { Locale } from "../../../src/core/locale.ts";
import type { Permission, Role } from "../../../src/core/permission.ts";

/** A project of the signed-in person, and what they may do in it. */
export interface Project {
  id: string;
  name: string;
  role: Role;
  timezone: string;
  country: string | null;
  currency: string | null;
  permissions: readonly Permission[];
  /** Whether they manage keys, members and settings. */
  manages: boolean;
}

/** Who is signed in; `token` is sent with every write. */
export interface Me {
  person: { id: string; name: string; email: string };
  locale: Locale;
  projects: readonly Project[];
  /** The base URL of the API for programs. */
  apiUrl: string;
  token: string;
}

interface Session {
  me: Me;
  /** Whether the session has ended while the panel was open. */
  over: boolean;
}

const given = document.querySelector<HTMLMetaElement>('meta[name="leadgate-me"]')?.content ?? "null";
let session: Session = { me: JSON.parse(given) as Me, over: false };
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

/** Signs out and goes to sign-in. */
export async function signOut(): Promise<void> {
  await fetch("/panel/api/sign-out", { method: "POST", headers: { "X-Form-Token": session.me.token } });
  location.assign("/sign-in");
}

/** Marks the session as ended; the panel then leads to sign-in. */
export const sessionOver = (): void => become({ ...session, over: true });

/** Reloads who is signed in, for example after a role changed. Returns false if it is another person now, or nobody. */
export async function refreshMe(): Promise<boolean> {
  const response = await fetch("/panel/api/me");
  if (response.status === 401) sessionOver();
  if (!response.ok) return false;
  const me = (await response.json()) as Me;
  if (me.person.id !== session.me.person.id) {
    location.reload();
    return false;
  }
  become({ me, over: false });
  return true;
}
