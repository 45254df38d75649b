import { LEAD_FIELDS, type LeadField } from "../../contract/lists/lead-fields.ts";
import type { FieldType } from "../../contract/lists/operators.ts";

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
  /** The name under which the index over numbers has its values (see migration 0012). */
  index?: string;
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
