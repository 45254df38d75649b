import type { AnyFilter, Condition, EventAsked } from "./random-filter.ts";

type Event = Record<string, unknown>;

/** Whether a lead's events match; the reference for leads checks each single event. */
export function eventMatches(
  asked: EventAsked,
  events: readonly Event[],
  look: {
    where(filter: AnyFilter, event: Event): boolean;
    occurred(condition: Condition, event: Event): boolean;
  },
): boolean {
  const { occurred: when } = asked;
  if (when?.op === "not_in_last")
    return !eventMatches({ ...asked, occurred: { ...when, op: "in_last" } }, events, look);
  const types = asked.type === undefined ? undefined : [asked.type].flat();
  const isOfType = ({ type }: Event) =>
    types === undefined ||
    types.some((wanted) =>
      wanted.endsWith(".*") ? String(type).startsWith(wanted.slice(0, -1)) : type === wanted,
    );
  const ofType = events.filter(isOfType);
  const picked =
    asked.pick === "first" ? ofType.slice(0, 1) : asked.pick === "last" ? ofType.slice(-1) : ofType;
  const found = picked.filter(
    (event) =>
      (asked.where === undefined || look.where(asked.where, event)) &&
      (asked.occurred === undefined || look.occurred({ field: "occurred_at", ...asked.occurred }, event)),
  ).length;
  return countMatches(asked.count, found);
}

/** Whether the number of events matches; at least one by default. */
export function countMatches(asked: EventAsked["count"], found: number): boolean {
  const { op, value } = asked ?? { op: "gte", value: 1 };
  const [low, high] = [value].flat() as [number, number];
  const answers: Record<string, boolean> = {
    eq: found === low,
    neq: found !== low,
    gt: found > low,
    gte: found >= low,
    lt: found < low,
    lte: found <= low,
    between: found >= low && found <= high,
  };
  return answers[op] ?? false;
}
