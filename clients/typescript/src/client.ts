import { type FollowOptions, followEvents } from "./follow-events.ts";
import { Api } from "./generated/methods.ts";
import type { Event } from "./generated/schema.ts";
import { Leads } from "./leads.ts";
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
}
