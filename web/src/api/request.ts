import { presentMe } from "../session/session.ts";
import { errorOf } from "./api-error.ts";
import { attendance } from "./attended.ts";
import type { Answer, Ask, Method, Path } from "./call.ts";
import { noteOwnChange } from "./own-changes.ts";
import { type Asked, pathOf } from "./path.ts";
import { repeated } from "./repeat.ts";

/** What is sent with a call. */
export interface Sent extends Asked {
  body?: unknown;
  signal?: AbortSignal | undefined;
  ifMatch?: number;
}

/** What a write answered, and the id of the change that it made; null if nothing changed. */
export interface Written<A> {
  answer: A;
  change: string | null;
}

/**
 * Calls an endpoint in a project: `request("prj_…", "GET", "/v1/leads/{id}", { params: { id } })`. Returns its JSON,
 * or undefined for 204. Repeats what was refused undone (see `repeated`). Throws an `ApiError` for every response but 2xx.
 * `useApi` checks what is sent.
 */
export const request = async <M extends Method, P extends Path<M>>(
  projectId: string,
  method: M,
  path: P,
  sent: Sent = {},
): Promise<Answer<M, P>> => (await requestWrite(projectId, method, path, sent)).answer;

/** The same, with the change that the call made. */
export async function requestWrite<M extends Method, P extends Path<M>>(
  projectId: string,
  method: M,
  path: P,
  { body, signal, ifMatch, ...asked }: Sent = {},
): Promise<Written<Answer<M, P>>> {
  const send = async () => {
    const response = await fetch(urlOf(projectId, path, asked), {
      method,
      signal: signal ?? null,
      headers: {
        ...(method !== "GET" && { "X-Form-Token": presentMe().token }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...attendance(),
        ...(ifMatch !== undefined && { "If-Match": `"${ifMatch}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw await errorOf(response);
    const change = response.headers.get("X-Leadgate-Change");
    if (change !== null) noteOwnChange(change);
    return { answer: await answerIn<M, P>(response), change };
  };
  return await repeated(send, signal);
}

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
