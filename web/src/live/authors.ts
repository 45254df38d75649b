import type { LiveEvent } from "./stream/live-event.ts";

const MOST = 2_000;
const authors = new Map<string, string>();

/** Remembers who changed the fields of an event. */
export function noteAuthor({ lead_id, changes, actor }: LiveEvent): void {
  for (const { field } of changes) {
    const key = `${lead_id} ${field}`;
    authors.delete(key);
    authors.set(key, actor?.label ?? "");
    const [oldest] = authors.keys();
    if (authors.size > MOST && oldest !== undefined) authors.delete(oldest);
  }
}

/** Who changed a lead's field last, as far as this tab has seen; empty if that is not known. */
export const authorOf = (leadId: string, field: string): string => authors.get(`${leadId} ${field}`) ?? "";
