import { LEAD_FIELDS } from "../../contract/lists/lead-fields.ts";
import { FIELD_BY_NAME } from "./lead-field.ts";
import type { ProjectSchema } from "./project-schema.ts";
import { findField } from "./project-schema.ts";

const ALL = LEAD_FIELDS.map(({ name }) => name).join(", ");

/**
 * The columns of a lead for the requested fields, always with id. A `custom.<key>` selects `custom` and requires
 * `schema`.
 */
export function leadColumns(fields: readonly string[] | undefined, schema?: ProjectSchema): string {
  if (fields === undefined || fields.length === 0 || schema === undefined) return ALL;
  const asked = fields.map((name, i) => FIELD_BY_NAME.get(name) ?? findField(name, `$.fields[${i}]`, schema));
  const wanted = new Set(["id", ...asked.map(({ column }) => column)]);
  return LEAD_FIELDS.map(({ name }) => name)
    .filter((name) => wanted.has(name))
    .join(", ");
}
