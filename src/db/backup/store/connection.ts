import { createReadStream } from "node:fs";
import { type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { pipeline } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { StoreAddress } from "../../../core/store-address.ts";
import { type Digests, digestsOfBytes } from "./digests.ts";
import { refusalOf, StoreError } from "./store-error.ts";

/** The access key of a store. */
export interface StoreKeys {
  id: string;
  secret: string;
}

/** How long a store is waited for, in milliseconds. */
export interface Patience {
  /** For how long a request is repeated. */
  againMs: number;
  /** For how long a part of a large file is repeated: the parts before it would be sent again otherwise. */
  partAgainMs: number;
  /** How long a connection may pass no byte. */
  idleMs: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

const PATIENCE: Patience = {
  againMs: 30_000,
  partAgainMs: 300_000,
  idleMs: 30_000,
  firstPauseMs: 500,
  longestPauseMs: 10_000,
};

/** A request may take as long as its bytes take at 10 kB/s, and twice the longest silence. */
const SLOWEST_BYTES_PER_MS = 10;
/** Answers other than files are short: a list has at most 1,000 keys. */
const LONGEST_TEXT = 16 * 1_048_576;

/** Some bytes of a file. */
export interface FilePart {
  path: string;
  start: number;
  bytes: number;
  digests: Digests;
}

/** A request to a store. */
export interface Call {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** The key with its prefix; undefined for the bucket. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer | FilePart;
  signal?: AbortSignal | undefined;
}

/** The answer to a request that was performed. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Throws a StoreError if the connection breaks. */
  chunks: AsyncIterable<Buffer>;
}

/** Sends signed requests to a store, and again after failures that pass. */
export class Connection {
  readonly address: StoreAddress;
  readonly patience: Patience;
  readonly #keys: StoreKeys;

  constructor(address: StoreAddress, keys: StoreKeys, patience: Partial<Patience> = {}) {
    this.address = address;
    this.patience = { ...PATIENCE, ...patience };
    this.#keys = keys;
  }

  /**
   * Sends a request until `read` has read an answer, for at most `againMs`; a function makes the request of each attempt. Throws a
   * StoreError, the reason of the signal, or what reading or writing a local file threw.
   */
  async send<T>(
    given: Call | (() => Call),
    read: (answer: Answer) => T | Promise<T>,
    againMs = this.patience.againMs,
  ): Promise<T> {
    const until = performance.now() + againMs;
    const { firstPauseMs, longestPauseMs } = this.patience;
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      const call = typeof given === "function" ? given() : given;
      call.signal?.throwIfAborted();
      try {
        return await this.#once(call, read);
      } catch (error) {
        call.signal?.throwIfAborted();
        if (!(error instanceof StoreError) || !error.isTemporary) throw error;
        // Half of it by chance, so that not all instances return at once.
        const wait = Math.max(error.pauseMs, pause * (0.5 + Math.random() / 2));
        if (performance.now() + wait >= until) throw error;
        await sleep(wait, undefined, call.signal ? { signal: call.signal } : {}).catch(() => undefined);
      }
    }
  }

  /** Sends a request and returns its answer as text. */
  async text(call: Call): Promise<string> {
    return await this.send(call, textOf);
  }

  async #once<T>(call: Call, read: (answer: Answer) => T | Promise<T>): Promise<T> {
    const attempt: Attempt = { call, giveUp: new AbortController(), failure: undefined };
    const lateAfter = (bytes: number) =>
      setTimeout(() => giveUp(attempt, "too slow"), this.patience.idleMs * 2 + bytes / SLOWEST_BYTES_PER_MS);
    let timer = lateAfter(call.body === undefined ? 0 : bytesOf(call.body));
    let message: IncomingMessage | undefined;
    try {
      message = await this.#answerTo(attempt);
      clearTimeout(timer);
      timer = lateAfter(Number(message.headers["content-length"] ?? 0));
      const answer = {
        status: message.statusCode ?? 0,
        headers: message.headers,
        chunks: this.#chunksOf(message, attempt),
      };
      if (answer.status < 200 || answer.status > 299)
        throw refusalOf(this.address, call, message, await textOf(answer));
      const value = await read(answer);
      message.resume();
      return value;
    } catch (error) {
      message?.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a request; returns its answer as soon as the head of it has arrived, which may be before everything was sent. */
  async #answerTo(attempt: Attempt): Promise<IncomingMessage> {
    const { call, giveUp: end } = attempt;
    const { body = Buffer.alloc(0) } = call;
    const hasBody = call.method === "PUT" || call.method === "POST";
    const url = urlOf(this.address, call);
    const { sha256, md5 } = Buffer.isBuffer(body) ? digestsOfBytes(body) : body.digests;
    const { headers } = await new AwsV4Signer({
      ...{ service: "s3", region: this.address.region, method: call.method, url: url.href },
      ...{ accessKeyId: this.#keys.id, secretAccessKey: this.#keys.secret },
      headers: {
        ...call.headers,
        "x-amz-content-sha256": sha256,
        ...(md5 && hasBody ? { "content-md5": md5 } : {}),
      },
    }).sign();
    const signal = AbortSignal.any([end.signal, ...(call.signal ? [call.signal] : [])]);
    // Stopped while it was signed: such a request is destroyed before a file could flow into it.
    if (signal.aborted) throw this.#broken(attempt, signal.reason);
    const sent = Promise.withResolvers<IncomingMessage>();
    const request = (url.protocol === "https:" ? overHttps : overHttp)(url, {
      method: call.method,
      headers: {
        ...Object.fromEntries(headers),
        ...(hasBody ? { "content-length": `${bytesOf(body)}` } : {}),
      },
      ...{ signal, timeout: this.patience.idleMs },
    });
    let local: Error | undefined;
    request.on("timeout", () => giveUp(attempt, "it was silent"));
    request.on("error", (error) => sent.reject(local ?? this.#broken(attempt, error)));
    request.on("response", sent.resolve);
    if (Buffer.isBuffer(body) || body.bytes === 0) request.end(Buffer.isBuffer(body) ? body : undefined);
    else {
      const source = createReadStream(body.path, { start: body.start, end: body.start + body.bytes - 1 });
      source.on("error", (error) => (local = error));
      pipeline(source, request, () => undefined);
      // A store that refuses a request does not need the rest of it.
      request.on("close", () => source.destroy());
    }
    return await sent.promise;
  }

  async *#chunksOf(message: IncomingMessage, attempt: Attempt): AsyncGenerator<Buffer> {
    try {
      yield* message;
    } catch (error) {
      throw this.#broken(attempt, error as NodeJS.ErrnoException);
    }
  }

  #broken({ call, failure }: Attempt, cause: NodeJS.ErrnoException): StoreError {
    const code = failure ?? cause.code ?? cause.message;
    return new StoreError(this.address, call, { code }, { cause });
  }
}

/** One attempt at a request, and why it was given up. */
interface Attempt {
  call: Call;
  giveUp: AbortController;
  failure: string | undefined;
}

function giveUp(attempt: Attempt, failure: string): void {
  attempt.failure ??= failure;
  attempt.giveUp.abort();
}

const bytesOf = (body: Buffer | FilePart): number => (Buffer.isBuffer(body) ? body.length : body.bytes);

/** The URL of a key or of the bucket, with every character encoded that a signature encodes. */
export function urlOf({ endpoint, bucket, pathStyle }: StoreAddress, { key = "", query = {} }: Call): URL {
  const url = new URL(endpoint);
  const path = key.split("/").map(encoded).join("/");
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  const base = url.pathname === "/" ? "" : url.pathname;
  url.pathname = `${base}${pathStyle ? `/${bucket}` : ""}${path === "" ? "" : `/${path}`}`;
  url.search = Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join("&");
  return url;
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The body of an answer as text. */
export async function textOf({ chunks }: Pick<Answer, "chunks">): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes > LONGEST_TEXT)
      throw new Error("The store answered with more than 16 MB where a list was expected.");
  }
  return Buffer.concat(parts).toString("utf8");
}
