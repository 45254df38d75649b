import type { LiveEvent } from "./live-event.ts";

const MOST = 1_000;

/** The events that came last, to recognize repeated ones, and for tabs that come later. */
export class Recent {
  readonly #events = new Map<string, { event: LiveEvent; at: number }>();
  #forgottenAt = 0;

  has(id: string): boolean {
    return this.#events.has(id);
  }

  /** Returns whether the event is new. */
  add(event: LiveEvent): boolean {
    if (this.#events.has(event.id)) return false;
    this.#events.set(event.id, { event, at: Date.now() });
    const [oldest] = this.#events;
    if (this.#events.size > MOST && oldest !== undefined) {
      this.#events.delete(oldest[0]);
      this.#forgottenAt = oldest[1].at;
    }
    return true;
  }

  /** The events that came since a time, in ms since 1970; undefined if some of them are forgotten. */
  since(time: number): LiveEvent[] | undefined {
    if (time <= this.#forgottenAt) return undefined;
    return [...this.#events.values()].filter(({ at }) => at >= time).map(({ event }) => event);
  }
}
