import { PassThrough } from "node:stream";
import type { Permission } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import { type FeedPosition, isAfter } from "../live/feed-position.ts";
import type { EndedBy, LiveReader, LiveSeat, Viewers } from "../live/live-hub.ts";
import type { MemberContext } from "../operation/operation.ts";
import type { Credential } from "../tenancy/credential.ts";
import type { CommittedEvent } from "../tenancy/live-events.ts";
import {
  endFrame,
  eventFrame,
  eventsOfLines,
  GOODBYE,
  heartbeat,
  OPENING,
  viewersFrame,
} from "./event-frame.ts";
import { formerEpoch, writeFeedCursor } from "./feed-cursor.ts";
import { type FeedRow, readFeedPage } from "./read-feed.ts";
import { typeTest } from "./wanted-types.ts";

const HEARTBEAT_MS = 15_000;
/** How many bytes wait for a reader before it has to catch up. */
const MOST_WAITING = 1_024 * 1_024;
/** How long a reader that was cut off has to read the rest. */
const PARTING_MS = 10_000;
const PAGE = 100;

/** The texts of events as streams send them, by the types of the cursor, since many streams send the same. */
const frames = new WeakMap<CommittedEvent, Map<string, Buffer>>();
const viewersFrames = new WeakMap<Viewers, Buffer>();

/**
 * A stream of a project's feed as server-sent events. It first reads pages of the feed behind the caller's door, then
 * follows the hub: what the hub holds beyond the last page is kept until the pages have reached it. A reader that does
 * not keep up catches up in the same way, at its own speed; one that takes nothing from heartbeat to heartbeat is cut off.
 */
export class EventStream implements LiveReader {
  readonly body = new PassThrough();
  readonly credential: Credential;
  readonly epoch: string;
  readonly #context: MemberContext;
  readonly #types: readonly string[] | undefined;
  readonly #wants: (type: string) => boolean;
  readonly #seat: LiveSeat;
  readonly #called = Promise.withResolvers<void>();
  readonly #timer: NodeJS.Timeout;
  readonly #onClose: () => void;
  /** What was sent so far. */
  #position: FeedPosition;
  /** What the hub handed out before the pages reached it, and its size; undefined once the stream is live. */
  #kept: CommittedEvent[] | undefined = [];
  #keptSize = 0;
  /** The position that the pages have to reach. */
  #goal: FeedPosition | undefined;
  #written = 0;
  /** How many bytes the connection had taken at the last heartbeat. */
  #taken = 0;
  /** The viewers that were sent last. */
  #viewers = "[]";
  #isOver = false;

  /** `first` is the first page; `onClose` is called when the stream is over. */
  constructor(
    context: MemberContext,
    types: readonly string[] | undefined,
    first: FeedRow,
    onClose: () => void,
  ) {
    this.#context = context;
    this.credential = context.caller;
    this.#types = types;
    this.#wants = typeTest(types);
    this.epoch = first.epoch;
    this.#position = first;
    this.#onClose = onClose;
    this.#write(Buffer.from(OPENING));
    this.body.once("close", () => this.#close());
    this.#timer = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    const { live } = context.service;
    this.#seat = live.join(this);
    if (live.isDraining) this.ended("draining");
    else void this.#catchUp(first);
  }

  committed(events: readonly CommittedEvent[]): void {
    this.#called.resolve();
    if (this.#isOver) return;
    if (this.#kept === undefined) this.#pass(events);
    else this.#keep(events);
  }

  #pass(events: readonly CommittedEvent[]): void {
    for (const [i, event] of events.entries()) {
      if (this.#waiting > MOST_WAITING) {
        this.#fallBehind(events.slice(i));
        return;
      }
      if (!isAfter(event, this.#position)) continue;
      this.#position = event;
      if (this.#wants(event.type)) this.#send(this.#frameOf(event));
    }
  }

  /** Keeps events until the reader has taken what it was sent; if they are too many, pages have them. */
  #fallBehind(events: readonly CommittedEvent[]): void {
    this.#kept = [];
    this.#keptSize = 0;
    this.#goal = this.#position;
    this.#keep(events);
    void this.#catchUp();
  }

  standing(permissions: readonly Permission[] | undefined): void {
    if (permissions === undefined) this.#end("unauthenticated", "The credential of this stream has ended.");
    else if (!permissions.includes("leads:read"))
      this.#end("forbidden", "The credential of this stream may not read leads any more.");
  }

  viewing(viewers: Viewers): void {
    // Nothing is kept for a reader that does not take it: the next call has the newest text.
    if (this.#isOver || this.body.writableNeedDrain || viewers.json === this.#viewers) return;
    this.#viewers = viewers.json;
    const frame = viewersFrames.get(viewers) ?? Buffer.from(viewersFrame(viewers.json));
    viewersFrames.set(viewers, frame);
    this.#write(frame);
  }

  ended(by: EndedBy): void {
    const { code, message } = formerEpoch();
    if (by === "restored") this.#end(code, message);
    else this.#endWith(GOODBYE);
  }

  /**
   * Sends pages until one has reached both the feed's end and what the hub had when it began to keep events, then what was
   * kept. Without a `first` one, pages are only read if too much came to be kept.
   */
  async #catchUp(first?: FeedRow): Promise<void> {
    try {
      for (let page = first; ; page = await this.#read()) {
        if (page !== undefined) this.#sendPage(page);
        await this.#drained();
        if (this.#isOver) return;
        if (page?.has_more === true) continue;
        this.#goal ??= await this.#follow();
        if (this.#isOver) return;
        if (!isAfter(this.#goal, this.#position)) break;
      }
      const kept = this.#kept ?? [];
      this.#kept = undefined;
      this.#pass(kept);
    } catch (error) {
      if (this.#isOver) return;
      // A credential that ends while pages are read ends the stream as it does later (`standing`).
      if (error instanceof Refusal && (error.kind === "unauthenticated" || error.kind === "forbidden"))
        return this.#end(error.kind, error.message);
      if (error instanceof Refusal && error.kind !== "unavailable")
        return this.#end(error.code, error.message);
      this.#context.service.log.warn({ err: error }, "a stream of events could not read the feed");
      this.#end("unavailable", "The feed cannot be read at the moment. Connect again shortly.");
    }
  }

  #sendPage(page: FeedRow): void {
    for (const { mark, json } of eventsOfLines(page.json, page.epoch))
      this.#send(Buffer.from(eventFrame(this.#cursorAt(mark), json)));
    this.#position = { tx: page.tx, id: page.id };
  }

  /** Begins to follow the hub; returns where its events begin. */
  async #follow(): Promise<FeedPosition> {
    const begins = this.#seat.follow(this.#position);
    if (begins !== undefined) return begins;
    await this.#called.promise;
    return this.#seat.position ?? this.#position;
  }

  #read(): Promise<FeedRow> {
    const mark = { epoch: this.epoch, ...this.#position };
    return readFeedPage(this.#context, () => ({ types: this.#types, limit: PAGE, mark, lines: true }));
  }

  #keep(events: readonly CommittedEvent[]): void {
    for (const event of events) {
      this.#kept?.push(event);
      this.#keptSize += event.json.length;
    }
    const last = events.at(-1);
    if (this.#keptSize <= MOST_WAITING || last === undefined) return;
    // They are read from the feed instead.
    this.#kept = [];
    this.#keptSize = 0;
    this.#goal = last;
  }

  /** Waits until the reader has taken most of what was sent. */
  async #drained(): Promise<void> {
    if (!this.body.writableNeedDrain || this.#isOver) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        this.body.off("drain", go);
        this.body.off("close", go);
        resolve();
      };
      this.body.on("drain", go);
      this.body.on("close", go);
    });
  }

  /** Sends a sign of life, unless much waits; cuts the reader off if it took nothing since the last one. */
  #beat(): void {
    if (this.#isOver) return;
    const taken = this.#written - this.#waiting;
    const isStalled = this.#waiting > 0 && taken === this.#taken;
    this.#taken = taken;
    if (isStalled) this.#end("too_slow", TOO_SLOW);
    else if (!this.body.writableNeedDrain) this.#write(Buffer.from(heartbeat(this.#cursorAt(this.#reached))));
  }

  /** The position behind what was sent. The hub of a live stream may be further on, or after catching up not yet there. */
  get #reached(): FeedPosition {
    const { position } = this.#seat;
    const isFurther = this.#kept === undefined && position !== undefined && isAfter(position, this.#position);
    return isFurther ? position : this.#position;
  }

  #frameOf(event: CommittedEvent): Buffer {
    const known = frames.get(event) ?? new Map<string, Buffer>();
    frames.set(event, known);
    const name = JSON.stringify(this.#types ?? null);
    const frame = known.get(name) ?? Buffer.from(eventFrame(this.#cursorAt(event), event.json));
    known.set(name, frame);
    return frame;
  }

  #cursorAt({ tx, id }: FeedPosition): string {
    const { service, caller } = this.#context;
    return writeFeedCursor(service, caller.projectId, this.#types, { epoch: this.epoch, tx, id });
  }

  #send(frame: Buffer): void {
    if (this.#isOver) return;
    this.#write(frame);
    this.#context.service.live.figures.sent += 1;
  }

  #write(bytes: Buffer): void {
    this.#written += bytes.length;
    this.body.write(bytes);
  }

  /** The bytes that the connection has not taken. */
  get #waiting(): number {
    return this.body.writableLength + this.body.readableLength;
  }

  #end(code: string, message: string): void {
    this.#endWith(endFrame(code, message));
  }

  #endWith(last: string): void {
    if (this.#isOver) return;
    this.#close();
    this.body.end(last);
    const parting = setTimeout(() => this.body.destroy(), PARTING_MS).unref();
    this.body.once("close", () => clearTimeout(parting));
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#seat.leave();
    this.#called.resolve();
    this.#onClose();
  }
}

const TOO_SLOW = "The stream was not read. Connect again with the id of the last event; nothing is lost.";
