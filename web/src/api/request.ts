import { presentMe, refreshMe, sessionOver } from "../session/session.ts";
import { type ApiError, errorOf } from "./api-error.ts";
import { busyDuring } from "./busy.ts";
import type { Answer, Ask, Method, Path } from "./call.ts";
import { type Asked, pathOf } from "./path.ts";

/** What is sent with a call. */
export interface Sent extends Asked {
  body?: unknown;
  signal?: AbortSignal | undefined;
  ifMatch?: number;
}

const LONGEST_WAIT = 15;
const TRIES = 4;

/**
 * Calls an endpoint in a project: `request("prj_…", "GET", "/v1/leads/{id}", { params: { id } })`. Returns its JSON,
 * or undefined for 204. Repeats a call that a busy service refused, after its Retry-After (see isUndone), and with a new
 * anti-forgery token if the old one has expired. Throws an `ApiError` for every response but 2xx. `useApi` checks what is sent.
 */
export async function request<M extends Method, P extends Path<M>>(
  projectId: string,
  method: M,
  path: P,
  { body, signal, ifMatch, ...asked }: Sent = {},
): Promise<Answer<M, P>> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(urlOf(projectId, path, asked), {
      method,
      signal: signal ?? null,
      headers: {
        ...(method !== "GET" && { "X-Form-Token": presentMe().token }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(ifMatch !== undefined && { "If-Match": `"${ifMatch}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return await answerIn<M, P>(response);
    const error = await errorOf(response);
    const last = attempt === TRIES;
    if (error.status === 401) sessionOver();
    else if (error.code === "stale_form" && !last && (await refreshMe())) continue;
    else if (!last && isUndone(error) && (error.retryAfter ?? 1) <= LONGEST_WAIT) {
      await busyDuring(pause((error.retryAfter ?? 1) * 1_000 * spread(), signal));
      continue;
    }
    throw error;
  }
}

/** Whether nothing was done by a refused call, so that even a write may be repeated; after another 503 it may have been. */
const isUndone = ({ status, code }: ApiError): boolean => status === 429 || code === "overloaded";

/** A factor from 1 to 1.5, so that windows that were refused together do not all come back at once. */
export const spread = (): number => 1 + Math.random() / 2;

/** The JSON of an endpoint's successful response; the contract tells its type. */
export const answerIn = async <M extends Method, P extends Path<M>>(
  response: Response,
): Promise<Answer<M, P>> => (response.status === 204 ? undefined : await response.json()) as Answer<M, P>;

const urlOf = (projectId: string, path: string, sent: Sent): string =>
  `/panel/api/${projectId}${pathOf(path, sent)}`;

/** Returns the URL of an endpoint, for example for a link to a file. */
export const addressOf = <M extends Method, P extends Path<M>>(
  projectId: string,
  _method: M,
  path: P,
  ...[send]: Ask<M, P, object>
): string => urlOf(projectId, path, send ?? {});

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(end);
      reject(signal.reason);
    });
  });
