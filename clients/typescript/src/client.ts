import { type FollowOptions, followEvents } from "./follow-events.ts";
import { Api } from "./generated/methods.ts";
import type { Event, FeedEvent } from "./generated/schema.ts";
import { Leads } from "./leads.ts";
import { type MirrorOptions, type MirrorStep, mirror } from "./mirror.ts";
import { type StreamOptions, streamEvents } from "./stream-events.ts";
import { type ClientOptions, transport } from "./transport.ts";

/** A client of the API: `leadgate.leads.search({ … })` and so on, named after the operations of `/openapi.json`. */
export class Leadgate extends Api {
  override readonly leads: Leads;

  constructor(options: ClientOptions) {
    const send = transport(options);
    super(send);
    this.leads = new Leads(send, options);
  }

  /**
   * Yields the events of the project in the order of commits, and saves the cursor after each page: once your loop asks
   * for more, what it received counts as handled. If your program stops before, it receives that page again.
   */
  followEvents(options: FollowOptions): AsyncGenerator<Event, void> {
    return followEvents(this.events, options);
  }

  /**
   * Yields the steps that keep a complete copy of the leads: all leads first, then what changed. Saves the cursor once
   * your loop asks for more, but not before all leads were read: a program that stops until then starts again.
   */
  mirror(options: MirrorOptions): AsyncGenerator<MirrorStep, void> {
    return mirror(this, options);
  }

  /**
   * Yields events about a tenth of a second after their commit, without end. It connects again by itself where it stopped,
   * so that nothing is skipped and nothing comes twice. Throws `LeadgateError` if the key ended (`unauthenticated`,
   * `forbidden`) or the cursor did (`cursor_expired`, `cursor_of_former_epoch`): then mirror or follow from the start.
   */
  streamEvents(options: StreamOptions = {}): AsyncGenerator<FeedEvent, void> {
    return streamEvents(this.events, options);
  }
}
