import type { Me } from "../../../src/contract/me.ts";
import { presentMe, sessionOver, setMe } from "../session/session.ts";
import { ApiError, errorOf } from "./api-error.ts";
import { attendance } from "./attended.ts";
import { busyDuring } from "./busy.ts";

const LONGEST_WAIT = 15;
const TRIES = 4;

/**
 * Returns what `send` returns. Calls it again if a busy service refused it, after its Retry-After (see isUndone), and
 * with a new anti-forgery token if the old one has expired. `send` throws an `ApiError` for every response but 2xx.
 */
export async function repeated<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) sessionOver();
      const last = attempt === TRIES;
      if (error.code === "stale_form" && !last && (await refreshMe())) continue;
      const { retryAfter = 1 } = error;
      if (last || !isUndone(error) || retryAfter > LONGEST_WAIT) throw error;
      await busyDuring(pause(retryAfter * 1_000 * spread(), signal));
    }
  }
}

/** The codes of 503 for calls that were not begun: too much to do, or the database is being migrated. */
const NOT_BEGUN: readonly string[] = ["overloaded", "migrating"];

/** Whether nothing was done by a refused call, so that even a write may be repeated; after another 503 it may have been. */
export const isUndone = ({ status, code }: ApiError): boolean => status === 429 || NOT_BEGUN.includes(code);

/** A factor from 1 to 1.5, so that windows that were refused together do not all come back at once. */
export const spread = (): number => 1 + Math.random() / 2;

/**
 * Reloads who is signed in, with their projects and a new anti-forgery token. Returns false if it is another person now.
 */
export async function refreshMe(): Promise<boolean> {
  const me = await repeated(async (): Promise<Me> => {
    const response = await fetch("/panel/api/me", { headers: attendance() });
    if (!response.ok) throw await errorOf(response);
    return await response.json();
  });
  if (me.person.id !== presentMe().person.id) {
    location.reload();
    return false;
  }
  setMe(me);
  return true;
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(end);
      reject(signal.reason);
    });
  });
