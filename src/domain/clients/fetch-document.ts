import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP } from "node:net";
import type { Config } from "../../config/config.ts";
import { Refusal } from "../../core/refusal.ts";
import { KIND, type Span } from "../../observe/trace/span.ts";
import type { Trace } from "../../observe/trace/trace.ts";
import { freshFor } from "./document-freshness.ts";
import { findPublic, isPublicAddress } from "./public-address.ts";

const MOST_MS = 5_000;
const MOST_BYTES = 5 * 1_024;
const MOST_HEADER_BYTES = 8 * 1_024;

export const documentFault = (code: string, message: string, cause?: unknown): Refusal =>
  new Refusal("malformed", code, message, { cause });

/**
 * Fetches an application's metadata document (draft-ietf-oauth-client-id-metadata-document 5, 8.6, 8.7): from
 * public addresses only, without redirects, at most 5 seconds and 5 KB. `freshFor` is in seconds.
 */
export async function fetchDocument(
  documents: Config["documents"],
  address: string,
  trace?: Trace,
): Promise<{ text: string; freshFor: number }> {
  const signal = AbortSignal.timeout(MOST_MS);
  const span = trace?.start("GET", KIND.client);
  span?.set("http.request.method", "GET");
  span?.set("server.address", new URL(address).hostname);
  const call = callTo(documents, address, signal, span);
  try {
    const answer = await answerTo(call, signal);
    span?.set("http.response.status_code", answer.statusCode ?? 0);
    const document = { text: await textOf(checked(answer)), freshFor: freshFor(answer.headers) };
    span?.finish();
    return document;
  } catch (error) {
    span?.fail(error);
    if (error instanceof Refusal) throw error;
    if (!signal.aborted) throw away(error);
    throw documentFault(
      "document_slow",
      "The application's metadata document did not arrive within 5 seconds.",
    );
  } finally {
    call.destroy();
  }
}

/**
 * Resolves if the server of this https URL answers at all, under the same limits: whatever its status, it was reached
 * at a public address with a valid certificate.
 */
export async function reachServer(
  documents: Config["documents"],
  address: string,
  stop: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(MOST_MS)]);
  const call = callTo(documents, address, signal);
  try {
    await answerTo(call, signal);
  } finally {
    call.destroy();
  }
}

function callTo(
  { ca, ownNetworks = [] }: Config["documents"],
  address: string,
  signal: AbortSignal,
  span?: Span,
): ClientRequest {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // a URL with a literal IP address causes no lookup, so it is checked here
  if (isIP(host) !== 0 && !isPublicAddress(host, ownNetworks)) throw away();
  return request(url, {
    agent: false,
    headers: {
      Accept: "application/json",
      "Accept-Encoding": "identity",
      "User-Agent": "Leadgate",
      ...span?.trace.headers(span),
    },
    lookup: findPublic(ownNetworks),
    maxHeaderSize: MOST_HEADER_BYTES,
    rejectUnauthorized: true,
    signal,
    ...(ca === undefined ? {} : { ca }),
  });
}

async function answerTo(call: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  // an error event without a listener would end the process, even after the response
  call.on("error", () => undefined);
  call.end();
  // a call that changes the protocol (101) closes without response and error, so only the signal ends the wait
  const [answer] = (await once(call, "response", { signal })) as [IncomingMessage];
  return answer;
}

/** Returns the answer if it is one of a metadata document: a 200 with JSON, not compressed. */
function checked(answer: IncomingMessage): IncomingMessage {
  const { statusCode, headers } = answer;
  if (statusCode !== 200) {
    throw documentFault(
      "document_status",
      "The application's metadata document was not returned with status 200; redirects are not followed.",
    );
  }
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/.test(type)) {
    throw documentFault(
      "document_type",
      "The application's metadata document is not sent as application/json.",
    );
  }
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity") {
    throw documentFault(
      "document_encoding",
      "The application's metadata document is compressed, which was not requested.",
    );
  }
  return answer;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BYTES) {
      throw documentFault("document_large", "The application's metadata document is larger than 5 KB.");
    }
    parts.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw documentFault("document_not_json", "The application's metadata document is not a JSON object.");
  }
}

/** One refusal for every network failure, so that callers learn nothing about internal names and addresses. */
const away = (cause?: unknown): Refusal =>
  documentFault(
    "document_away",
    "The application's metadata document could not be fetched: no server at a public address responded over https with a valid certificate.",
    cause,
  );
