import type { EventPick } from "../../../../src/contract/lists/operators.ts";

/** A condition on one field; `value` is absent for is_empty and is_not_empty. */
interface Asked {
  field: string;
  op: string;
  value?: unknown;
}

/** An operator and its value, as in the time and count of events and datasets. */
export interface Said {
  op: string;
  value: unknown;
}

export interface EventAsked {
  type?: string | readonly string[];
  where?: Filter;
  occurred?: Said;
  count?: Said;
  pick?: EventPick;
}

export interface DatasetAsked {
  key: string;
  where?: Filter;
  count?: Said;
}

/** The API's filter; see docs/api-design.md. It may come from elsewhere and be any JSON: the service decides. */
export type Filter =
  | { and: readonly Filter[] }
  | { or: readonly Filter[] }
  | { not: Filter }
  | { view: string }
  | { event: EventAsked }
  | { dataset: DatasetAsked }
  | Asked;

/** Whether a value from the URL may be a filter, or is undefined. */
export const isFilter = (value: unknown): value is Filter | undefined =>
  value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));

/** Leads that match both; either may be missing. */
export function both(one: Filter | undefined, other: Filter | undefined): Filter | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { and: [one, other] };
}

/** Which records a list shows: by a filter and by words. */
export interface AskedRecords {
  filter: Filter | undefined;
  search: string;
}

/** The part of a query that selects the records, as the API takes it. */
export const asked = ({ filter, search }: AskedRecords) => ({
  ...(filter !== undefined && { filter }),
  ...(search.trim() !== "" && { search }),
});
