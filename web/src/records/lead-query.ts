import type { LeadFigures } from "../../../src/contract/nouns/figures.ts";
import type {
  FieldName,
  GroupFieldName,
  ScalarFieldName,
} from "../../../src/contract/nouns/filter/field-names.ts";
import type { Filter, RowFilter } from "../../../src/contract/nouns/filter.ts";
import type { Sort } from "../table/sort.ts";

// Filters and names of fields come from the URL, from views and from layouts. The service checks them.

/** Whether a text may name a field of leads. */
const isFieldName = (name: string): name is FieldName => name !== "";

/** Whether a text may name a field that leads are grouped by. */
export const isGroupField = (name: string): name is GroupFieldName => name !== "";

/** Returns the names of fields as the API takes them. */
export const fieldNames = (names: readonly string[]): FieldName[] => names.filter(isFieldName);

const isLeadSort = (sort: Sort): sort is Sort<ScalarFieldName> => sort.field !== "";

/** Returns an order of leads as the API takes it. */
export const leadSort = (sort: readonly Sort[]): Sort<ScalarFieldName>[] => sort.filter(isLeadSort);

/** Whether a value from the URL may be a filter, or is undefined. */
export const isFilter = (value: unknown): value is Filter | undefined =>
  value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));

export const isRowFilter = (value: unknown): value is RowFilter | undefined => isFilter(value);

/** Groups of leads with their number and their value. */
export interface Groups {
  groups: readonly {
    /** What the leads share, by field; null for those without a value. */
    key: Readonly<Record<string, string | null>>;
    metrics: { count: number; sum_value: number | null };
  }[];
  total_groups: number;
}

/** Returns the groups of an answer: those by fields that hold text, with the figures that the panel requests. */
export const groupsOf = ({ groups, total_groups }: LeadFigures): Groups => ({
  groups: groups.map(({ key, metrics: { count, sum_value } }) => ({
    key: Object.fromEntries(
      Object.entries(key).map(([field, value]) => [field, typeof value === "string" ? value : null]),
    ),
    metrics: { count: Number(count ?? 0), sum_value: typeof sum_value === "number" ? sum_value : null },
  })),
  total_groups,
});
