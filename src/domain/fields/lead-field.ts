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
  /** The column, or SQL that makes the value of columns; for a custom field, `custom`. */
  column: string;
  key?: string;
  /** Never null, so sorting needs no NULLS FIRST or LAST. */
  required?: true;
  /** Part of search_text, whose index finds substrings; a display name may be in the index of first and last names instead. */
  worded?: true;
  /** The field that conditions and orders compare instead; whether it is empty is judged by its own value. */
  comparedAs?: string;
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

/** Standard fields have columns of the same name, except the display name. */
function columnOf({ name, type, required, worded, comparedAs, ofDeleted }: LeadField): Field {
  return {
    ...{ name, type, column: name === "display_name" ? displayNameSql() : name },
    ...(required && { required }),
    ...(worded && { worded }),
    ...(comparedAs !== undefined && { comparedAs }),
    ...(ofDeleted && { ofDeleted }),
  };
}

/** SQL for the name that a lead is shown and found by, from columns of `row`, such as `l.`. */
export function displayNameSql(row = ""): string {
  return `display_name(${row}name, ${row}first_name, ${row}last_name)`;
}

/** SQL that selects a standard field of a lead under its name, from columns of `row`. */
export const columnSql = (name: string, row = ""): string =>
  name === "display_name" ? `${displayNameSql(row)} AS display_name` : `${row}${name}`;

/** The field that conditions and orders compare, under the name of the one that was asked for. */
export function compared(field: Field, find: (name: string) => Field): Field {
  return field.comparedAs === undefined ? field : { ...find(field.comparedAs), name: field.name };
}

/** The name of the field whose index has what conditions and orders compare. */
export const indexedAs = (name: string): string => FIELD_BY_NAME.get(name)?.comparedAs ?? name;

/**
 * Finds a field by name; if its type is open, the operator and the value decide it. Refuses (400) an unknown name.
 */
export type FindField = (name: unknown, path: string, op?: unknown, value?: unknown) => Field;
