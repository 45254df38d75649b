import { bad, quoted } from "./bad-input.ts";
import { FIELD_BY_NAME, LEAD_FIELDS } from "./lead-field.ts";

const ALL = LEAD_FIELDS.map(({ column }) => column).join(", ");

/** The columns that a lead shows, by the fields asked for; id is always among them. */
export function leadColumns(fields: readonly string[] | undefined): string {
  if (fields === undefined || fields.length === 0) return ALL;
  fields.forEach((name, i) => {
    if (!FIELD_BY_NAME.has(name))
      bad(`$.fields[${i}]`, "unknown_field", `${quoted(name)} is not a field of a lead`);
  });
  const wanted = new Set(["id", ...fields]);
  return LEAD_FIELDS.filter(({ name }) => wanted.has(name))
    .map(({ column }) => column)
    .join(", ");
}
