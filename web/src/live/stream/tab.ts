import { randomId } from "../../api/random-id.ts";
import { spread } from "../../api/repeat.ts";
import type { LiveEvent, LiveListener, Viewer } from "./live-event.ts";
import { LiveStream } from "./live-stream.ts";
import { Recent } from "./recent.ts";

/** How long a new tab waits for what the leading tab knows. */
const ANSWER_MS = 2_000;
/** How often the leading tab speaks at least, and after which silence it is taken to hang. */
const SPEAK_MS = 10_000;
const SILENT_MS = 40_000;

/** What the leading tab says to the others, and what a new one asks it. Cursors tell where the sender stands behind it. */
type Said =
  | { kind: "alive" }
  | { kind: "leading"; cursor: string | undefined }
  | { kind: "event"; event: LiveEvent; after: string | undefined; cursor: string }
  | { kind: "reached"; after: string | undefined; cursor: string }
  | { kind: "restarted"; cursor: string }
  | { kind: "viewing"; viewers: readonly Viewer[] }
  | { kind: "ask"; tab: string; since: number }
  | {
      kind: "here";
      tab: string;
      cursor: string | undefined;
      events: LiveEvent[] | null;
      viewers: readonly Viewer[];
    };

/**
 * This tab among those of the browser that follow a project. The holder of a lock leads: it alone has the stream, and
 * passes everything on. All tabs know the cursor, so that another one can take over without a gap. A tab that finds a gap,
 * because it stands elsewhere, reads again what it shows.
 */
export class Tab {
  readonly #projectId: string;
  readonly #name: string;
  readonly #on: LiveListener;
  readonly #id = randomId();
  readonly #channel: BroadcastChannel | undefined;
  readonly #recent = new Recent();
  #cursor: string | undefined;
  #knownAt: number;
  #viewers: readonly Viewer[] = [];
  #stream: LiveStream | undefined;
  #stop: AbortController | undefined;
  #speaking: ReturnType<typeof setInterval> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  /** What was said before the leading tab has answered this new one. */
  #waiting: Said[] | undefined;

  /** `cursor` is the feed's end at `knownAt`, before anything was read. */
  constructor(
    { projectId, personId }: { projectId: string; personId: string },
    on: LiveListener,
    cursor: string | undefined,
    knownAt: number,
  ) {
    this.#projectId = projectId;
    this.#name = `leadgate live ${personId} ${projectId}`;
    this.#on = on;
    this.#cursor = cursor;
    this.#knownAt = knownAt;
    // without locks (no https), each tab has a stream of its own
    if (navigator.locks === undefined) return;
    this.#waiting = [];
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<Said>) => this.#hear(data);
    this.#channel.postMessage({ kind: "ask", tab: this.#id, since: knownAt } satisfies Said);
    setTimeout(() => this.#giveUp(), ANSWER_MS);
  }

  /** Whether the browser's tabs share one stream. */
  get sharesStream(): boolean {
    return this.#channel !== undefined;
  }

  /** Takes part: the stream is open here as soon as no other tab has it. */
  start(): void {
    if (this.#stop !== undefined) return;
    if (this.#channel === undefined) {
      this.#stop = new AbortController();
      this.#lead();
    } else this.#queue("wait");
  }

  /** Requests the lock, and leads while this tab holds it. */
  #queue(how: "wait" | "steal"): void {
    const stop = new AbortController();
    this.#stop = stop;
    this.#awaitSpeech();
    const options = how === "steal" ? { steal: true } : { signal: stop.signal };
    navigator.locks
      .request(this.#name, options, async () => {
        if (stop.signal.aborted) return;
        this.#lead();
        await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
      })
      .catch(() => {
        if (this.#stop !== stop) return;
        // another tab took the lock, as this one did not answer
        this.#leave();
        this.#queue("wait");
      });
  }

  /** Takes the lead from a tab that hangs, as with an open print dialog. */
  #awaitSpeech(): void {
    clearTimeout(this.#silence);
    if (this.#stop === undefined || this.#stream !== undefined) return;
    // not all tabs at once
    this.#silence = setTimeout(() => {
      if (document.hidden) return this.#awaitSpeech();
      this.#leave();
      this.#queue("steal");
    }, SILENT_MS * spread());
  }

  /** Leaves the stream to other tabs, whose events are still passed on to here. */
  stop(): void {
    if (this.#stream !== undefined) this.#pass({ kind: "viewing", viewers: [] });
    this.#leave();
  }

  #leave(): void {
    clearInterval(this.#speaking);
    clearTimeout(this.#silence);
    this.#stream?.close();
    this.#stream = undefined;
    this.#stop?.abort();
    this.#stop = undefined;
  }

  #lead(): void {
    // what was heard meanwhile comes again, from the cursor on
    this.#waiting = undefined;
    clearTimeout(this.#silence);
    this.#say({ kind: "leading", cursor: this.#cursor });
    this.#speaking = setInterval(() => this.#say({ kind: "alive" }), SPEAK_MS);
    this.#stream = new LiveStream(
      this.#projectId,
      {
        event: (event, cursor) => this.#pass({ kind: "event", event, after: this.#cursor, cursor }),
        reached: (cursor) => this.#pass({ kind: "reached", after: this.#cursor, cursor }),
        restarted: (cursor) => this.#pass({ kind: "restarted", cursor }),
        viewing: (viewers) => this.#pass({ kind: "viewing", viewers }),
        // another tab finds that out itself
        over: () => this.stop(),
      },
      this.#cursor,
      this.#knownAt,
    );
  }

  #pass(said: Said): void {
    this.#say(said);
    this.#take(said);
  }

  #say(said: Said): void {
    this.#channel?.postMessage(said);
  }

  #hear(said: Said): void {
    if (said.kind !== "ask") this.#awaitSpeech();
    if (said.kind === "ask") this.#answer(said);
    else if (this.#stream !== undefined) return;
    else if (said.kind === "here") {
      if (said.tab === this.#id && this.#waiting !== undefined) this.#adopt(said);
    } else if (this.#waiting !== undefined) this.#waiting.push(said);
    else this.#take(said);
  }

  #answer({ tab, since }: { tab: string; since: number }): void {
    if (this.#stream === undefined) return;
    const [cursor, viewers, events] = [this.#cursor, this.#viewers, this.#recent.since(since) ?? null];
    this.#say({ kind: "here", tab, cursor, viewers, events });
  }

  /** Continues where the leading tab stands, with what happened since this tab began to read. */
  #adopt({ cursor, events, viewers }: Extract<Said, { kind: "here" }>): void {
    if (events === null) this.#on.restarted();
    else for (const event of events) this.#tell(event);
    this.#know(cursor);
    this.#take({ kind: "viewing", viewers });
    this.#catchUp();
  }

  /** No tab leads, or it was gone before it answered. */
  #giveUp(): void {
    if (this.#waiting === undefined) return;
    if (this.#waiting.length > 0) this.#on.restarted();
    this.#catchUp();
  }

  #catchUp(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const said of waiting) this.#take(said);
  }

  #take(said: Said): void {
    switch (said.kind) {
      case "leading":
        this.#expect(said.cursor);
        this.#know(said.cursor);
        break;
      case "event":
        if (!this.#recent.has(said.event.id)) this.#expect(said.after);
        this.#know(said.cursor);
        this.#tell(said.event);
        break;
      case "reached":
        this.#expect(said.after);
        this.#know(said.cursor);
        break;
      case "restarted":
        this.#know(said.cursor);
        this.#on.restarted();
        break;
      case "viewing":
        this.#viewers = said.viewers;
        this.#on.viewing(said.viewers);
        break;
    }
  }

  /** Whether this tab stands where the sender stood; otherwise something may be missing. */
  #expect(cursor: string | undefined): void {
    if (cursor !== this.#cursor) this.#on.restarted();
  }

  #know(cursor: string | undefined): void {
    this.#cursor = cursor;
    this.#knownAt = Date.now();
  }

  #tell(event: LiveEvent): void {
    if (this.#recent.add(event)) this.#on.event(event);
  }
}
