import { errorOf, isUndone, LeadgateError } from "./error.ts";
import { VERSION } from "./generated/version.ts";
import { waitAfter } from "./wait.ts";

export interface ClientOptions {
  /** The URL of the API host, such as `https://api.example.org`. */
  baseUrl: string;
  /** An API key (`lgk_…`), or an access token. Keep keys on your server. */
  key: string;
  /** Milliseconds that one attempt may take, 30,000 by default. Of a file, the time until its first byte. */
  timeout?: number;
  /** How often a call is sent at most, 5 by default. 1 turns repeating off. */
  attempts?: number;
  /** Milliseconds to wait at most before an attempt, 60,000 by default. If `Retry-After` is longer, the call fails. */
  longestWait?: number;
  /** Put before the client's own `User-Agent`. Browsers send theirs. */
  userAgent?: string;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Ends the call, also while it waits. It then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds that one attempt may take, instead of the client's. */
  timeout?: number;
}

export interface ConditionalOptions extends CallOptions {
  /** The ETag of the record as you read it. If the record has changed since, the call fails with 412. */
  ifMatch?: string;
}

/** A successful response. */
export interface Answer<Data, Status extends number = number> {
  readonly data: Data;
  readonly status: Status;
  /** The version of the record, for `ifMatch`; null if the answer is not a record with a version. */
  readonly etag: string | null;
  /** What an upsert did, or what became of an event: `created`, `updated` or `unchanged`. */
  readonly outcome: "created" | "updated" | "unchanged" | null;
  readonly requestId: string | null;
  readonly headers: Headers;
}

/** A file: text, bytes, or a Blob such as `await openAsBlob(path)` of node:fs. */
export type FileBody = Blob | Uint8Array<ArrayBuffer> | string;

/** One call as the generated methods describe it. */
export interface Call {
  method: string;
  /** With the parameters filled in, without the query. */
  path: string;
  query?: object | undefined;
  json?: unknown;
  file?: FileBody;
  /** What the response contains: JSON, nothing, or a file that is returned as a stream. */
  reply: "json" | "nothing" | "stream";
  /** Whether the call may be repeated although an earlier attempt may have been performed. */
  repeatable: boolean;
  options?: ConditionalOptions | undefined;
}

/** Performs a call. The type of its answer is the one that the OpenAPI document gives, which the service tests hold it to. */
export type Send = <A>(call: Call) => Promise<A>;

/** Returns a function that performs calls, repeats them where that is safe, and throws `LeadgateError`. */
export function transport(client: ClientOptions): Send {
  const { attempts = 5, longestWait } = client;
  return async <A>(call: Call) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await once(client, call)) as A;
      } catch (error) {
        if (!(error instanceof LeadgateError) || attempt >= attempts || !mayRepeat(call, error)) throw error;
        await waitAfter(error, { attempt, longestWait, signal: call.options?.signal });
      }
    }
  };
}

/** After 503 or no response at all, a write may have been performed, unless it was refused undone. */
const mayRepeat = (call: Call, error: LeadgateError): boolean =>
  isUndone(error) || (call.repeatable && (error.status === 503 || error.status === 0));

/** Returns one segment of a path. */
export const segment = (value: string): string => encodeURIComponent(value);

async function once(client: ClientOptions, call: Call): Promise<Answer<unknown>> {
  const { signal, timeout = client.timeout ?? 30_000 } = call.options ?? {};
  signal?.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeout);
  const { fetch = globalThis.fetch } = client;
  try {
    const response = await fetch(urlOf(client, call), {
      method: call.method,
      headers: headersOf(client, call),
      body: call.file ?? (call.json === undefined ? null : JSON.stringify(call.json)),
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    });
    if (!response.ok) throw await errorOf(response);
    return answerOf(response, await dataOf(response, call));
  } catch (error) {
    if (error instanceof LeadgateError) throw error;
    signal?.throwIfAborted();
    throw noResponse(call, late.signal.aborted ? timeout : undefined, error);
  } finally {
    clearTimeout(timer);
  }
}

function urlOf({ baseUrl }: ClientOptions, { path, query = {} }: Call): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const words = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return `${baseUrl.replace(/\/+$/, "")}${path}${words.size === 0 ? "" : `?${words}`}`;
}

function headersOf(client: ClientOptions, { json, file, options }: Call): Record<string, string> {
  const own = `leadgate-client/${VERSION}`;
  return {
    Authorization: `Bearer ${client.key}`,
    "User-Agent": client.userAgent === undefined ? own : `${client.userAgent} ${own}`,
    ...(json === undefined ? {} : { "Content-Type": "application/json" }),
    // fetch sends the type of a Blob that has one
    ...(file === undefined || (file instanceof Blob && file.type !== "")
      ? {}
      : { "Content-Type": "application/octet-stream" }),
    ...(options?.ifMatch === undefined ? {} : { "If-Match": options.ifMatch }),
  };
}

async function dataOf(response: Response, { reply }: Call): Promise<unknown> {
  if (reply === "stream") return response.body;
  const text = await response.text();
  if (reply === "nothing" || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { status } = response;
    throw new LeadgateError({ status, code: "not_json", message: "The response is not JSON.", cause });
  }
}

const OUTCOMES = ["created", "updated", "unchanged"] as const;

function answerOf(response: Response, data: unknown): Answer<unknown> {
  const { status, headers } = response;
  const said = headers.get("x-leadgate-outcome");
  return {
    data,
    status,
    etag: versionOf(headers),
    outcome: OUTCOMES.find((outcome) => outcome === said) ?? null,
    requestId: headers.get("x-request-id"),
    headers,
  };
}

/** The ETag unless it is weak: then it is of the whole answer, for `If-None-Match` in `headers`. */
function versionOf(headers: Headers): string | null {
  const tag = headers.get("etag");
  return tag?.startsWith("W/") === true ? null : tag;
}

function noResponse({ method, path }: Call, timeout: number | undefined, cause: unknown): LeadgateError {
  const late = timeout !== undefined;
  return new LeadgateError({
    status: 0,
    code: late ? "timeout" : "no_response",
    message: `${method} ${path}: ${late ? `no response within ${timeout} ms` : "no response"}`,
    cause,
  });
}
