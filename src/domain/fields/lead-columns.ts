import { FIELD_BY_NAME, LEAD_FIELDS } from "./lead-field.ts";
import type { ProjectSchema } from "./project-schema.ts";
import { findField } from "./project-schema.ts";

const ALL = LEAD_FIELDS.map(({ column }) => column).join(", ");

/**
 * The columns that a lead shows, by the fields asked for; id is always among them. `custom.<key>` brings custom, and
 * wants the facts of the project.
 */
export function leadColumns(fields: readonly string[] | undefined, schema?: ProjectSchema): string {
  if (fields === undefined || fields.length === 0 || schema === undefined) return ALL;
  const asked = fields.map((name, i) => FIELD_BY_NAME.get(name) ?? findField(name, `$.fields[${i}]`, schema));
  const wanted = new Set(["id", ...asked.map(({ column }) => column)]);
  return LEAD_FIELDS.filter(({ column }) => wanted.has(column))
    .map(({ column }) => column)
    .join(", ");
}
