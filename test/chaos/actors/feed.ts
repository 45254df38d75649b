import { isAcknowledged, listIn, textIn, valueIn } from "../history.ts";
import type { Actor } from "./actor.ts";

const EVENTS = "/api/v1/events";

/** Reads the feed page by page, and continues with the same cursor when a page did not come. */
export class Follower {
  readonly #actor: Actor;
  #cursor = "";
  #last = "";

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /** Takes the cursor of the feed's end, before anything is written. */
  async begin(): Promise<void> {
    while (this.#cursor === "") await this.#page("since=now");
  }

  async follow(): Promise<void> {
    while (!this.#actor.isOver) await this.#next();
  }

  /** Reads on until it has seen this lead, which was created after everything else; false if it never comes. */
  async untilSeen(lead: string): Promise<boolean> {
    for (let tries = 0; tries < 600 && this.#last !== lead; tries += 1) await this.#next();
    return this.#last === lead;
  }

  async #next(): Promise<void> {
    const limit = this.#actor.chance.between(1, 60);
    await this.#page(`limit=${limit}&cursor=${encodeURIComponent(this.#cursor)}`);
  }

  async #page(query: string): Promise<void> {
    const call = await this.#actor.call({
      ...{ op: "feed.page", method: "GET", path: `${EVENTS}?${query}`, keep: keptOf },
    });
    if (isAcknowledged(call)) {
      this.#cursor = textIn(call.answer, "next_cursor");
      this.#last = textIn(listIn(call.answer, "events").at(-1), "lead_id") || this.#last;
      if (valueIn(call.answer, "has_more") === true) return;
    }
    await this.#actor.pause(call);
  }
}

function keptOf(text: string): unknown {
  const page: unknown = JSON.parse(text);
  const events = listIn(page, "events").map((event) => ({
    ...{ id: textIn(event, "id"), type: textIn(event, "type"), lead_id: textIn(event, "lead_id") },
    ...{ external: textIn(event, "external_id"), to: valueIn(event, "data", "to") },
  }));
  return { events, next_cursor: textIn(page, "next_cursor"), has_more: valueIn(page, "has_more") };
}
