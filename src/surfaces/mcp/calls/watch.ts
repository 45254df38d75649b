import type { Permission } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import { hashOf } from "../../../core/secret.ts";
import type { EndedBy, LiveReader, LiveSeat } from "../../../domain/live/live-hub.ts";
import type { EventStream } from "../protocol/channel.ts";
import type { Exchange } from "../protocol/exchange.ts";
import type { Filter } from "./listen-filter.ts";
import { LiveCall } from "./live-call.ts";
import { findResource } from "./read-resource.ts";

/** How often a stream sends a keep-alive, and reads what no event announces, such as the schema. */
const BEAT_MS = 15_000;
/** Beats after which leads are read without an event, too: the erasure of another lead may shorten a timeline. */
const BEATS_TO_READ_LEADS = 4;

const LIST_NOTES = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
} as const;

/** What a stream reports, and how. */
interface Told {
  filter: Filter;
  /** The token's permissions; the lists change when they do. */
  permissions: readonly Permission[];
  note(method: string, more: object): void;
  goodbye: string;
}

/**
 * Watches for changes on behalf of one stream. The process's hub reports events of the project, made by any instance,
 * and what the token allows; only what may have changed is read again, as the caller.
 */
export class Watch implements LiveReader {
  readonly credential: Exchange["caller"];
  readonly #ended = Promise.withResolvers<void>();
  readonly #exchange: Exchange;
  readonly #stream: EventStream;
  readonly #told: Told;
  readonly #hashes = new Map<string, string>();
  /** The watched resources, with the lead that each is about. */
  readonly #leads: ReadonlyMap<string, string | undefined>;
  /** The resources that have to be read. */
  readonly #stale = new Set<string>();
  readonly #seat: LiveSeat;
  readonly #timer: NodeJS.Timeout;
  #may: string;
  #beats = 0;
  #isFirst = true;
  #isReading = false;
  #isOver = false;

  constructor(exchange: Exchange, stream: EventStream, told: Told) {
    const { resourceSubscriptions: uris = [] } = told.filter;
    this.credential = exchange.caller;
    this.#exchange = exchange;
    this.#stream = stream;
    this.#told = told;
    this.#may = told.permissions.join();
    this.#leads = new Map(uris.map((uri) => [uri, findResource(exchange, uri)?.leadId]));
    stream.body.once("close", () => this.end(false));
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
    this.#seat = exchange.service.live.join(this);
    if (uris.length > 0) this.#seat.follow();
  }

  get over(): Promise<void> {
    return this.#ended.promise;
  }

  /** What is read at first is what later changes are compared with, so it is read once events are received. */
  committed(events: readonly { leadId: string }[]): void {
    const changed = new Set(events.map(({ leadId }) => leadId));
    for (const [uri, lead] of this.#leads)
      if (this.#isFirst || (lead !== undefined && changed.has(lead))) this.#stale.add(uri);
    this.#isFirst = false;
    void this.#readStale();
  }

  standing(permissions: readonly Permission[] | undefined): void {
    if (permissions === undefined) this.end(false);
    const may = permissions?.join() ?? this.#may;
    if (may !== this.#may) for (const list of Object.keys(LIST_NOTES)) this.changed(list as keyof Filter);
    this.#may = may;
  }

  /** The surface ends its streams itself when the process stops. */
  ended(by: EndedBy): void {
    if (by === "restored") this.end(true);
  }

  changed(what: keyof Filter): void {
    if (what !== "resourceSubscriptions" && this.#told.filter[what] === true)
      this.#told.note(LIST_NOTES[what], {});
  }

  /** Ends the stream: with a final message if the server closes it, without one if the token or the client ended. */
  end(politely: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#seat.leave();
    this.#stream.end(politely ? this.#told.goodbye : undefined);
    this.#ended.resolve();
  }

  #beat(): void {
    this.#stream.keepAlive();
    this.#beats += 1;
    const withLeads = this.#beats % BEATS_TO_READ_LEADS === 0;
    for (const [uri, lead] of this.#leads) if (withLeads || lead === undefined) this.#stale.add(uri);
    void this.#readStale();
  }

  /** Reads what may have changed, also what comes up meanwhile. */
  async #readStale(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    for (const uri of this.#stale) {
      if (this.#isOver) break;
      this.#stale.delete(uri);
      try {
        await this.#read(uri);
      } catch (error) {
        if (error instanceof Refusal && error.kind === "unauthenticated") this.end(false);
        else this.#exchange.request.log.warn({ err: error }, "a subscription could not look for changes");
      }
    }
    this.#isReading = false;
  }

  async #read(uri: string): Promise<void> {
    const call = new LiveCall(this.#exchange, {});
    const content = await findResource(this.#exchange, uri)?.read(call);
    const now = hashOf(JSON.stringify(content ?? null)).toString("latin1");
    const before = this.#hashes.get(uri);
    this.#hashes.set(uri, now);
    if (before !== undefined && before !== now) this.#told.note("notifications/resources/updated", { uri });
  }
}
