import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Call, Entry, Op } from "./history.ts";

/** A request of an actor. */
export interface Asking {
  op: Op;
  about?: Call["about"];
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | URLSearchParams;
  /** What the history keeps of the answer; by default its JSON. */
  keep?(text: string, headers: Headers): unknown;
  patienceMs?: number;
}

/** A process as actors reach it. */
export interface Target {
  name: string;
  apiUrl: string;
  webUrl: string;
}

/** Whether nothing listened; localhost may be tried at two addresses. */
const isRefused = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";

const PATIENCE_MS = 5_000;

/** What is kept of an answer; of one that cannot be read, its beginning. */
function kept(keep: () => unknown, text: string): unknown {
  try {
    return keep();
  } catch (error) {
    return { unreadable: text.slice(0, 200), because: String(error) };
  }
}

/** Keeps the history of a round, and writes it to a file as JSON lines. */
export class Recorder {
  readonly entries: Entry[] = [];
  readonly #file: string;
  readonly #started = performance.now();
  #calls = 0;
  #unwritten = "";

  constructor(file: string, schedule: unknown) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(schedule)}\n`);
  }

  /** Milliseconds since the start of the round. */
  now(): number {
    return performance.now() - this.#started;
  }

  add(entry: Entry): void {
    this.entries.push(entry);
    this.#unwritten += `${JSON.stringify(entry)}\n`;
    if (this.#unwritten.length > 100_000) this.flush();
  }

  flush(): void {
    appendFileSync(this.#file, this.#unwritten);
    this.#unwritten = "";
  }

  /** Sends a request and records it with its answer, or with none. */
  async ask(actor: string, target: Target, asking: Asking): Promise<Call> {
    const { op, about = {}, method, path, headers = {}, body, patienceMs = PATIENCE_MS } = asking;
    const keep = asking.keep ?? ((text: string): unknown => (text === "" ? null : JSON.parse(text)));
    this.#calls += 1;
    const call: Call = {
      ...{ kind: "call", n: this.#calls, actor, op, about, to: target.name, start: this.now(), end: 0 },
      ...{ status: null, isSent: true, retryAfter: null, answer: null },
    };
    try {
      const url = (op.startsWith("oauth.") ? target.webUrl : target.apiUrl) + path;
      const signal = AbortSignal.timeout(patienceMs);
      const response = await fetch(url, {
        ...{ method, headers, redirect: "manual", signal },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      call.status = response.status;
      call.retryAfter = response.headers.get("retry-after");
      call.answer = kept(() => keep(text, response.headers), text);
    } catch (error) {
      // An answer that breaks off is none: its request may have been carried out.
      if (!(error instanceof Error) || !["TimeoutError", "TypeError"].includes(error.name)) throw error;
      call.answer = { unanswered: `${error.name}: ${error.message}` };
      call.isSent = !isRefused(error.cause);
    }
    call.end = this.now();
    this.add(call);
    return call;
  }
}
