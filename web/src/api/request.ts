import { presentMe, refreshMe, sessionOver } from "../session/session.ts";
import { errorOf } from "./api-error.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Send {
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>>;
  /** The version of a record: the change is refused with 412 if someone else changed it first. */
  ifMatch?: number;
}

const LONGEST_WAIT = 15;

/**
 * Calls the API in a project: `request("prj_…", "GET", "/v1/leads/lead_…")`. Returns the JSON body, or undefined for
 * 204. Retries after a 429 (nothing was done then), and with a new anti-forgery token if the old one has expired.
 * Throws an `ApiError` for every response but 2xx.
 */
export async function request<T>(
  projectId: string,
  method: Method,
  path: string,
  send: Send = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(addressOf(projectId, path), {
      method,
      signal: send.signal ?? null,
      headers: {
        ...(method === "GET" ? {} : { "X-Form-Token": presentMe().token }),
        ...(send.body === undefined || isFile(send.body) ? {} : { "Content-Type": "application/json" }),
        ...(send.ifMatch === undefined ? {} : { "If-Match": `"${send.ifMatch}"` }),
        ...send.headers,
      },
      ...(send.body === undefined ? {} : { body: isFile(send.body) ? send.body : JSON.stringify(send.body) }),
    });
    if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
    const error = await errorOf(response);
    const last = attempt === 3;
    if (error.status === 401) sessionOver();
    else if (error.code === "stale_form" && !last && (await refreshMe())) continue;
    else if (error.status === 429 && !last && (error.retryAfter ?? 1) <= LONGEST_WAIT) {
      await pause((error.retryAfter ?? 1) * 1_000, send.signal);
      continue;
    }
    throw error;
  }
}

/** The URL of a call, for example for a link to a file. */
export const addressOf = (projectId: string, path: string): string => `/panel/api/${projectId}${path}`;

/** Returns the query string of a call: absent values are left out, lists are joined with commas. */
export function queryString(
  values: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>,
): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [[name, Array.isArray(value) ? value.join(",") : String(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

const isFile = (body: unknown): body is Blob | FormData => body instanceof Blob || body instanceof FormData;

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(end);
      reject(signal.reason);
    });
  });
