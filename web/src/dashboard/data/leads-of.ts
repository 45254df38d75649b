import type { EventFilter } from "../../../../src/contract/filters/event-filter.ts";
import type { Filter } from "../../../../src/contract/filters/filter.ts";
import type { LeadFieldOf } from "../../../../src/contract/lists/lead-fields.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { OUTGOING_EVENTS } from "../../../../src/core/outgoing.ts";
import type { Days } from "./days.ts";
import { endOf, startOf } from "./zone.ts";

/** Leads that match all of these filters, as one flat list of conditions where possible. */
export function allOf(...filters: readonly (Filter | undefined)[]): Filter | undefined {
  const parts = filters.flatMap((each) => (each === undefined ? [] : "and" in each ? each.and : [each]));
  return parts.length > 1 ? { and: parts } : parts[0];
}

/**
 * Leads of these days in a time zone. In the project's own zone, the filter uses days, which are easy to read. In
 * another zone it uses exact times, because the table counts days in the project's zone.
 */
export function createdIn({ from, to }: Days, zone: string, ofProject: string): Filter {
  if (zone === ofProject) return { field: "created_at", op: "between", value: [from, to] };
  return {
    and: [
      { field: "created_at", op: "on_or_after", value: startOf(from, zone) },
      { field: "created_at", op: "before", value: endOf(to, zone) },
    ],
  };
}

/** Leads whose status became one that counts as won in these days, whenever they were created. */
export function becameWonIn({ from, to }: Days, zone: string, ofProject: string): Filter {
  const type = "became.won";
  if (zone === ofProject) return { event: { type, occurred: { op: "between", value: [from, to] } } };
  const [since, until] = [startOf(from, zone), endOf(to, zone)];
  return {
    event: {
      type,
      where: {
        and: [
          { field: "occurred_at", op: "on_or_after", value: since },
          { field: "occurred_at", op: "before", value: until },
        ],
      },
    },
  };
}

type TextTest =
  | { op: "is_empty" | "is_not_empty" }
  | { op: "eq"; value: string }
  | { op: "not_in"; value: string[] };

/**
 * A condition on a text or on the owner. The two are told apart, because TypeScript compares a union of names with the
 * kinds of conditions only up to 25 names; texts alone are one kind, however many there are.
 */
const textCondition = (field: LeadFieldOf<"text"> | "owner_id", test: TextTest): Filter =>
  field === "owner_id" ? { field, ...test } : { field, ...test };

/** Leads with this text in a field, or with none. */
export const withText = (field: LeadFieldOf<"text"> | "owner_id", value: string | null): Filter =>
  textCondition(field, value === null ? { op: "is_empty" } : { op: "eq", value });

/** Leads with a text other than these. */
export const withOther = (field: LeadFieldOf<"text"> | "owner_id", values: readonly string[]): Filter => ({
  and: [
    textCondition(field, { op: "is_not_empty" }),
    textCondition(field, { op: "not_in", value: [...values] }),
  ],
});

export function statusIn(statuses: readonly string[]): Filter {
  const [first, ...others] = statuses;
  return first !== undefined && others.length === 0
    ? { field: "status", op: "eq", value: first }
    : { field: "status", op: "in", value: [...statuses] };
}

/** Leads in any status but these. */
export const statusNotIn = (statuses: readonly string[]): Filter | undefined =>
  statuses.length === 0 ? undefined : { field: "status", op: "not_in", value: [...statuses] };

const SINCE = "seconds_after_created";

/** Leads that were answered, at all or within some seconds; `never` for those that were not. */
export function answered(within?: number, never = false): Filter {
  const where: EventFilter =
    within === undefined
      ? { field: SINCE, op: "gte", value: 0 }
      : { field: SINCE, op: "between", value: [0, within] };
  const type = [...OUTGOING_EVENTS];
  return { event: never ? { type, where, count: { op: "eq", value: 0 } } : { type, where } };
}

/** The link to the leads of a filter; undefined if a value is too long for a URL. */
export function leadsAddress(projectId: string, filter: Filter | undefined): string | undefined {
  const address = addressIn(projectId, "leads");
  if (filter === undefined) return address;
  const query = new URLSearchParams({ filter: JSON.stringify(filter) }).toString();
  return query.length > 6_000 ? undefined : `${address}?${query}`;
}
