/** A condition of one field; `value` is absent for is_empty and is_not_empty. */
interface Asked {
  field: string;
  op: string;
  value?: unknown;
}

/** An operator and its value, as events and datasets say when and how often. */
export interface Said {
  op: string;
  value: unknown;
}

export interface EventAsked {
  type?: string | readonly string[];
  where?: Filter;
  occurred?: Said;
  count?: Said;
  pick?: "any" | "first" | "last";
}

export interface DatasetAsked {
  key: string;
  where?: Filter;
  count?: Said;
}

/** The API's filter; see docs/api-design.md. What somebody else wrote may be any JSON: the service decides. */
export type Filter =
  | { and: readonly Filter[] }
  | { or: readonly Filter[] }
  | { not: Filter }
  | { view: string }
  | { event: EventAsked }
  | { dataset: DatasetAsked }
  | Asked;

/** Whether something out of an address may be a filter, or none. */
export const isFilter = (value: unknown): value is Filter | undefined =>
  value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));

/** Leads that meet both; either may be missing. */
export function both(one: Filter | undefined, other: Filter | undefined): Filter | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { and: [one, other] };
}

/** Which records a list asks for: by a filter and by words. */
export interface AskedRecords {
  filter: Filter | undefined;
  search: string;
}

/** The part of a query that says which records are meant, as the API takes it. */
export const asked = ({ filter, search }: AskedRecords) => ({
  ...(filter !== undefined && { filter }),
  ...(search.trim() !== "" && { search }),
});
