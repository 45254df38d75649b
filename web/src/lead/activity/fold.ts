import type { Event as LeadEvent } from "../../../../src/contract/timeline/event.ts";

/** Events at the same time or repeated, shown as one. */
export interface Burst {
  /** The id of its newest event. */
  id: string;
  events: readonly LeadEvent[];
}

const TOGETHER_MS = 5 * 60_000;
const AGAIN_MS = 60 * 60_000;
/** Fewer events of a type are not a burst. */
const FEW = 3;

const who = ({ actor, source }: LeadEvent): string => `${actor?.type} ${actor?.id} ${source}`;

/**
 * Whether an event belongs to the one before it: changes by one person within minutes, or the same type again
 * within the hour.
 */
function goesWith(event: LeadEvent, newer: LeadEvent): boolean {
  if (event.type !== newer.type || event.type === "note.added" || event.type.startsWith("task."))
    return false;
  if (event.type.startsWith("lead.") && event.type !== "lead.updated") return false;
  if (event.merged_from !== newer.merged_from || who(event) !== who(newer)) return false;
  const apart = Date.parse(newer.occurred_at) - Date.parse(event.occurred_at);
  return apart <= (event.type === "lead.updated" ? TOGETHER_MS : AGAIN_MS);
}

/** Groups events that belong together; keeps the order, newest first. */
export function fold(events: readonly LeadEvent[]): Burst[] {
  const bursts: LeadEvent[][] = [];
  for (const event of events) {
    const last = bursts.at(-1);
    const newer = last?.at(-1);
    if (last !== undefined && newer !== undefined && goesWith(event, newer)) last.push(event);
    else bursts.push([event]);
  }
  return bursts
    .flatMap((each) =>
      each[0]?.type === "lead.updated" || each.length >= FEW ? [each] : each.map((event) => [event]),
    )
    .map((each) => ({ id: each[0]?.id ?? "", events: each }));
}

/** Groups bursts by the day of their newest event; `day` returns the day's name. */
export function byDay(bursts: readonly Burst[], day: (moment: string) => string): [string, Burst[]][] {
  return [...Map.groupBy(bursts, ({ events }) => day(events[0]?.occurred_at ?? ""))];
}
