import type { EventFeed } from "../../../../src/contract/timeline/event.ts";

/** Something that happened to a lead, with the values that changed. */
export type LiveEvent = EventFeed["events"][number];

/** A person who has a lead open. */
export interface Viewer {
  lead_id: string;
  id: string;
  name: string;
}

/** What follows a project's feed. */
export interface LiveListener {
  event(event: LiveEvent): void;
  /** Events may have been missed: what is shown must be read again. */
  restarted(): void;
  /** Who has which leads open now. */
  viewing(viewers: readonly Viewer[]): void;
}
