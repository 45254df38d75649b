import { LEAD_FIELDS, type LeadField } from "../../contract/lists/lead-fields.ts";
import type { FieldType } from "../../contract/lists/operators.ts";

/** The built indexes of a field's values (docs/decisions/0028); `leads` is how many leads had one when it was built. */
export interface FieldIndex {
  /** All leads in the order of the field, in this table. If values are `cut`, it narrows filters, but does not order. */
  order?: { id: number; table: string; cut: boolean; leads: number };
  /** The texts of `lead_parts`, in which texts occur. */
  parts?: { id: number; leads: number };
}

/** A field of a lead: a column, or a project's key in `custom`. */
export interface Field {
  name: string;
  type: FieldType;
  /** The column; for a custom field, `custom`. */
  column: string;
  key?: string;
  /** Never null, so sorting needs no NULLS FIRST or LAST. */
  required?: true;
  /** Part of search_text, whose index finds substrings. */
  worded?: true;
  /** The indexes of its values, if they are built. */
  index?: FieldIndex;
  /** Only deleted leads have it. */
  ofDeleted?: true;
  /** The label, if it depends on the project. */
  label?: string;
  /** The values of an enum, if they are known; empty for fields of other types. */
  options?: readonly string[];
}

/** The cells of a dataset's row, which statements call `r`. */
export const ROW_CELLS = "r.cells";

/** Whether the field is in JSON that an index over custom_terms() covers. */
export const hasTerms = ({ column, key }: Field): boolean =>
  key !== undefined && (column === "custom" || column === ROW_CELLS);

/** The standard fields by name, in the order in which leads show them. */
export const FIELD_BY_NAME: ReadonlyMap<string, Field> = new Map(
  LEAD_FIELDS.map((field) => [field.name, columnOf(field)]),
);

/** Standard fields have columns of the same name. */
function columnOf({ name, type, required, worded, ofDeleted }: LeadField): Field {
  return {
    ...{ name, type, column: name },
    ...(required && { required }),
    ...(worded && { worded }),
    ...(ofDeleted && { ofDeleted }),
  };
}

/**
 * Finds a field by name; if its type is open, the operator and the value decide it. Refuses (400) an unknown name.
 */
export type FindField = (name: unknown, path: string, op?: unknown, value?: unknown) => Field;
