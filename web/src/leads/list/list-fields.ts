import type { FieldName } from "../../../../src/contract/filters/field-names.ts";
import type { LeadPart } from "../../../../src/contract/leads/lead.ts";
import { SECTION_OF } from "../../../../src/contract/lists/lead-fields.ts";
import { fieldNames } from "../../records/lead-query.ts";

/** What every list asks for: the version, for changes, and what a lead may be called by. */
const ALWAYS: readonly string[] = [
  ...["id", "version", "name", "display_name"],
  ...["email", "phone", "phone_e164", "company", "external_id"],
];

/** What the cards of a phone show besides. */
export const CARD_COLUMNS: readonly string[] = ["status", "value", "owner_id", "created_at"];

/**
 * The fields that a list asks for to show these columns. Columns that are no field any more, from a view or an older
 * layout, are left out: the service would refuse the query.
 */
export const listFields = (columns: readonly string[]): FieldName[] =>
  fieldNames([...new Set([...ALWAYS, ...columns.flatMap(partsOf)])]);

/** Whether a lead was read with the column; if it was not, its value is unknown, not empty. */
export const hasColumn = (lead: LeadPart, column: string): boolean =>
  partsOf(column).every((part) => part in lead);

/** The fields of a lead that a column shows. */
function partsOf(column: string): readonly string[] {
  if (column.startsWith("custom.")) return ["custom"];
  if (column === "value") return ["value", "currency"];
  if (column === "display_name" || column === "deleted_at") return [column];
  return Object.hasOwn(SECTION_OF, column) ? [column] : [];
}
