import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Logger } from "pino";
import type { TraceSettings } from "../../config/read-traces.ts";
import { within } from "../../core/within.ts";
import { jsonOf } from "./otlp-json.ts";
import { protobufOf, type Shared } from "./otlp-protobuf.ts";
import { classOf, type Span } from "./span.ts";
import { recordOf } from "./span-record.ts";

/** What collectors answer if the same batch may be sent again (OTLP/HTTP, Retryable Response Codes). */
const AGAIN = [429, 502, 503, 504];
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** How long the end of the process waits for the last spans. */
const FLUSH_MS = 2_000;

type Answer = { ok: true } | { ok: false; again: boolean; reason: string; pauseMs?: number | undefined };

/**
 * Sends spans to a collector in batches, apart from requests. A collector that is away delays nothing: what does not fit into
 * the queue meanwhile is dropped and counted.
 */
export class Exporter {
  readonly figures = { exported: 0, dropped: 0 };
  readonly #settings: TraceSettings;
  readonly #shared: Shared;
  readonly #log: Logger;
  #queue: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  /** Aborted when the process ends: no pauses any more. */
  readonly #hurry = new AbortController();
  /** Aborted when it ends now. */
  readonly #end = new AbortController();
  #isAway = false;
  #hasDropped = false;

  constructor(settings: TraceSettings, shared: Shared, log: Logger) {
    this.#settings = settings;
    this.#shared = shared;
    this.#log = log;
  }

  take(spans: readonly Span[]): void {
    const { most, together, everyMs } = this.#settings.queue;
    for (const span of spans) {
      if (this.#queue.length < most) this.#queue.push(span);
      else this.#drop(1, "the queue is full");
    }
    if (this.#sending !== undefined) return;
    // The first full batch does not wait; it is encoded after what the event loop has to do now.
    if (this.#queue.length >= together) setImmediate(() => this.#start());
    else this.#timer ??= setTimeout(() => this.#start(), everyMs).unref();
  }

  /** Sends what waits, for two seconds at most. Later spans are dropped. */
  async close(): Promise<void> {
    this.#hurry.abort();
    this.#start();
    const isDone = await within(FLUSH_MS, this.#sending ?? Promise.resolve());
    this.#end.abort();
    if (!isDone) await this.#sending;
    clearTimeout(this.#timer);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending !== undefined || this.#queue.length === 0) return;
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#queue.length > 0) this.take([]);
    });
  }

  /** Sends what waits now, and the full batches that gather meanwhile. */
  async #sendAll(): Promise<void> {
    const { together } = this.#settings.queue;
    do {
      const batch = this.#queue.splice(0, together);
      try {
        await this.#send(batch);
      } catch (error) {
        this.#drop(batch.length, classOf(error));
      }
    } while (this.#queue.length >= together || (this.#hurry.signal.aborted && this.#queue.length > 0));
  }

  async #send(batch: readonly Span[]): Promise<void> {
    const { format, compress, headers, queue } = this.#settings;
    const records = batch.map(recordOf);
    const plain = (format === "json" ? jsonOf : protobufOf)(this.#shared, records);
    const body = compress ? await promisify(gzip)(plain) : plain;
    const sent = {
      body,
      headers: {
        ...headers,
        "content-type": format === "json" ? "application/json" : "application/x-protobuf",
        ...(compress ? { "content-encoding": "gzip" } : {}),
        "user-agent": `leadgate/${this.#shared.scope.version}`,
      },
    };
    const until = performance.now() + queue.patienceMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const answer = await this.#post(sent, until - performance.now());
      if (answer.ok) return this.#sent(batch.length);
      this.#away(answer.reason);
      // Half of it by chance, so that not all instances return at once.
      const wait = Math.max(answer.pauseMs ?? 0, pause * (0.5 + Math.random() / 2));
      const isLast = this.#hurry.signal.aborted || performance.now() + wait >= until;
      if (!answer.again || isLast) return this.#drop(batch.length, answer.reason);
      await sleep(wait, undefined, { ref: false, signal: this.#hurry.signal }).catch(() => undefined);
    }
  }

  async #post(sent: { body: Buffer; headers: Record<string, string> }, leftMs: number): Promise<Answer> {
    const limit = AbortSignal.timeout(Math.max(1, Math.min(this.#settings.answerMs, Math.ceil(leftMs))));
    try {
      const answer = await fetch(this.#settings.url, {
        ...{ method: "POST", ...sent, body: new Uint8Array(sent.body) },
        // The headers may hold a password, which is not for another server.
        redirect: "manual",
        signal: AbortSignal.any([limit, this.#end.signal]),
      });
      // What collectors answer is short; what is not is not read.
      const isShort = Number(answer.headers.get("content-length") ?? Number.NaN) <= 65_536;
      await (isShort ? answer.arrayBuffer() : answer.body?.cancel());
      if (answer.ok) return { ok: true };
      const pauseMs = pauseOf(answer.headers.get("retry-after"));
      return { ok: false, again: AGAIN.includes(answer.status), reason: `status ${answer.status}`, pauseMs };
    } catch (error) {
      const { cause = error } = error as { cause?: unknown };
      return { ok: false, again: true, reason: limit.aborted ? "no answer in time" : classOf(cause) };
    }
  }

  #sent(count: number): void {
    this.figures.exported += count;
    if (this.#isAway) this.#log.info("the collector takes traces again");
    this.#isAway = false;
    this.#hasDropped = false;
  }

  #away(reason: string): void {
    if (!this.#isAway) this.#log.warn({ reason }, "the collector does not take traces; it will be retried");
    this.#isAway = true;
  }

  #drop(count: number, reason: string): void {
    this.figures.dropped += count;
    if (!this.#hasDropped)
      this.#log.warn(
        { reason },
        "spans of traces were dropped; leadgate_trace_spans_dropped_total counts them",
      );
    this.#hasDropped = true;
  }
}

/** Milliseconds of Retry-After, in seconds or as a date. */
function pauseOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
