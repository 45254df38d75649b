import { ApiError, errorOf } from "../../api/api-error.ts";
import { attendance } from "../../api/attended.ts";
import { refreshMe } from "../../api/repeat.ts";
import { addressOf, request } from "../../api/request.ts";
import { sessionOver } from "../../session/session.ts";
import type { LiveEvent, Viewer } from "./live-event.ts";
import { pauseAfter } from "./pause.ts";
import { readServerEvents } from "./server-events.ts";

/** The service sends a sign of life every 15 s; after this time without one, the connection is taken for broken. */
const SILENT_MS = 40_000;
/** After a longer time without a connection, reading again is cheaper than all events of the time. */
const TOO_OLD_MS = 300_000;
/** After this time, even the same cursor is passed on: it is still the feed's end. */
const QUIET_MS = 10_000;
/** The service tells who views leads within a second, unless nobody does. Who was there before is kept for as long. */
const NOBODY_MS = 2_500;

/** Receives what a stream carries; `cursor` is the place behind it. */
export interface StreamReader {
  event(event: LiveEvent, cursor: string): void;
  /** The feed was read up to here, and nothing happened. */
  reached(cursor: string): void;
  /** The stream goes on from here, without what happened before. */
  restarted(cursor: string): void;
  viewing(viewers: readonly Viewer[]): void;
  /** The stream does not go on: the session has ended, or the person may not read the project any more. */
  over(): void;
}

/** The session or the role is lost. */
class Over extends Error {}
/** The cursor is of no use any more. */
class Outdated extends Error {}

/**
 * The project's stream of events. It connects again after errors, with growing pauses, at the cursor where it stopped.
 * `knownAt` is when the cursor was the feed's end, in ms since 1970.
 */
export class LiveStream {
  readonly #projectId: string;
  readonly #on: StreamReader;
  readonly #closing = new AbortController();
  #cursor: string | undefined;
  #knownAt: number;
  #nobody: ReturnType<typeof setTimeout> | undefined;

  constructor(projectId: string, on: StreamReader, cursor: string | undefined, knownAt: number) {
    this.#projectId = projectId;
    this.#on = on;
    this.#cursor = cursor;
    this.#knownAt = knownAt;
    void this.#run();
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#nobody);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted; failures += 1) {
      const began = Date.now();
      let wait = 0;
      try {
        await this.#connect();
      } catch (error) {
        if (signal.aborted) return;
        const reason = error instanceof ApiError ? reasonOf(error) : error;
        if (reason instanceof Over) return this.#on.over();
        if (reason instanceof Outdated) this.#cursor = undefined;
        if (reason instanceof ApiError) wait = (reason.retryAfter ?? 0) * 1_000;
      }
      // a connection that held was no failure
      if (Date.now() - began > SILENT_MS) failures = 0;
      await pauseAfter(failures, signal, wait);
    }
  }

  /** Follows one connection until it ends. */
  async #connect(): Promise<void> {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    let silence = setTimeout(stop, SILENT_MS);
    this.#closing.signal.addEventListener("abort", stop);
    addEventListener("offline", stop);
    try {
      const cursor = await this.#start(attempt.signal);
      const url = addressOf(this.#projectId, "GET", "/v1/events/stream", { query: { cursor } });
      const headers = { Accept: "text/event-stream", ...attendance() };
      const response = await fetch(url, { signal: attempt.signal, headers });
      if (!response.ok) throw await errorOf(response);
      if (response.body === null) return;
      this.#forgetViewersSoon();
      await readServerEvents(response.body, {
        event: (name, data, id) => this.#take(name, data, id),
        alive: (id) => {
          clearTimeout(silence);
          silence = setTimeout(stop, SILENT_MS);
          this.#reach(id);
        },
      });
    } finally {
      clearTimeout(silence);
      if (this.#nobody === undefined) this.#forgetViewersSoon();
      this.#closing.signal.removeEventListener("abort", stop);
      removeEventListener("offline", stop);
    }
  }

  /** Returns the cursor to continue at: the feed's end if there is none, or if it is too old. */
  async #start(signal: AbortSignal): Promise<string> {
    if (this.#cursor !== undefined && Date.now() - this.#knownAt < TOO_OLD_MS) return this.#cursor;
    const query = { since: "now", limit: 1 } as const;
    const { next_cursor } = await request(this.#projectId, "GET", "/v1/events", { query, signal });
    this.#cursor = next_cursor;
    this.#knownAt = Date.now();
    this.#on.restarted(next_cursor);
    return next_cursor;
  }

  #take(name: string, data: string, id: string): void {
    if (this.#closing.signal.aborted) return;
    if (name === "end") throw reasonOf(JSON.parse(data) as { code: string });
    if (name === "presence") this.#tellViewers(JSON.parse(data) as Viewer[]);
    if (name !== "change") return;
    this.#cursor = id;
    this.#on.event(JSON.parse(data) as LiveEvent, id);
  }

  #tellViewers(viewers: readonly Viewer[]): void {
    clearTimeout(this.#nobody);
    this.#nobody = undefined;
    this.#on.viewing(viewers);
  }

  /** Without another report of who views leads, nobody is shown as doing so. */
  #forgetViewersSoon(): void {
    clearTimeout(this.#nobody);
    if (!this.#closing.signal.aborted) this.#nobody = setTimeout(() => this.#tellViewers([]), NOBODY_MS);
  }

  #reach(id: string): void {
    if (this.#closing.signal.aborted) return;
    const isQuiet = Date.now() - this.#knownAt > QUIET_MS;
    this.#knownAt = Date.now();
    if (id === "" || (id === this.#cursor && !isQuiet)) return;
    this.#cursor = id;
    this.#on.reached(id);
  }
}

/** The codes of cursors with which events would be missing. */
const CURSOR_OVER: ReadonlySet<string> = new Set(["cursor_of_former_epoch", "cursor_expired"]);

/** What a refusal, or the reason of a stream's end, means for it. */
function reasonOf(error: { code: string; status?: number }): Error {
  if (error.status === 401 || error.code === "unauthenticated") {
    sessionOver();
    return new Over();
  }
  if (error.status === 403 || error.status === 404 || error.code === "forbidden") {
    // a project that the person lost is not found any more
    void refreshMe().catch(() => undefined);
    return new Over();
  }
  if (error.status === 400 || CURSOR_OVER.has(error.code)) return new Outdated();
  return error instanceof Error ? error : new Error(error.code);
}
