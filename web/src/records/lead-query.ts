import type {
  FieldName,
  GroupFieldName,
  ScalarFieldName,
} from "../../../src/contract/filters/field-names.ts";
import type { Filter, RowFilter } from "../../../src/contract/filters/filter.ts";
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
