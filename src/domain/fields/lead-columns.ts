import { LEAD_FIELDS } from "../../contract/lists/lead-fields.ts";
import { columnSql, FIELD_BY_NAME } from "./lead-field.ts";
import type { ProjectSchema } from "./project-schema.ts";
import { findField } from "./project-schema.ts";

const ALL = LEAD_FIELDS.map(({ name }) => name);

/** The names of a lead's members for the requested fields, always with id. A `custom.<key>` selects `custom` and requires `schema`. */
export function leadMembers(
  fields: readonly string[] | undefined,
  schema?: ProjectSchema,
): readonly string[] {
  if (fields === undefined || fields.length === 0 || schema === undefined) return ALL;
  const asked = fields.map((name, i) => FIELD_BY_NAME.get(name) ?? findField(name, `$.fields[${i}]`, schema));
  const wanted = new Set(["id", ...asked.map(({ key, name }) => (key === undefined ? name : "custom"))]);
  return ALL.filter((name) => wanted.has(name));
}

/** The columns of a lead for the requested fields, as `leadMembers` names them. */
export const leadColumns = (fields: readonly string[] | undefined, schema?: ProjectSchema): string =>
  leadMembers(fields, schema)
    .map((name) => columnSql(name))
    .join(", ");
