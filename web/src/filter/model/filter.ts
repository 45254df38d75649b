import type { Filter, RowFilter } from "../../../../src/contract/filters/filter.ts";

/** An operator and its value, as in the time and count of events and datasets. */
export interface Said {
  op: string;
  value: unknown;
}

/** The API's filter of leads, or of a dataset's rows. It may come from elsewhere and be any JSON: the service decides. */
export type AnyFilter = Filter | RowFilter;

/** Leads that match both; either may be missing. */
export function both(one: Filter | undefined, other: Filter | undefined): Filter | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { and: [one, other] };
}

/** Which records a list shows: by a filter and by words; of leads, the deleted ones or the others. */
export interface AskedRecords<F extends AnyFilter = Filter> {
  filter: F | undefined;
  search: string;
  deleted?: boolean;
}

/** The part of a query that selects the records, as the API takes it. */
export const asked = <F extends AnyFilter>({ filter, search, deleted = false }: AskedRecords<F>) => ({
  ...(filter !== undefined && { filter }),
  ...(search.trim() !== "" && { search }),
  ...(deleted && { deleted }),
});
