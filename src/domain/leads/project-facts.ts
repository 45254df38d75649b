import type { ProjectDb } from "../../db/database.ts";
import type { Field, FieldType } from "./lead-field.ts";

/** What reading a filter may have to know of its project. */
export interface ProjectFacts {
  defaultCountry: string | null;
  custom: ReadonlyMap<string, Field>;
}

/** For inputs that name nothing of the project's own. */
export const NO_FACTS: ProjectFacts = { defaultCountry: null, custom: new Map() };

const TYPES: Record<string, FieldType> = {
  text: "text",
  url: "text",
  integer: "number",
  number: "number",
  boolean: "boolean",
  date: "date",
  datetime: "date",
  email: "email",
  phone: "phone",
  enum: "enum",
};

/** Reads a project's custom fields and country: one round trip, for inputs that name them. */
export async function projectFacts(db: ProjectDb, projectId: string): Promise<ProjectFacts> {
  const rows = await db.query<{ country: string | null; fields: { key: string; type: string }[] }>(
    `SELECT default_country AS country, (SELECT coalesce(json_agg(json_build_object('key', key, 'type', type)), '[]')
       FROM custom_field WHERE project_id = $1) AS fields FROM project WHERE project_id = $1`,
    [projectId],
    { prepare: true },
  );
  const custom = (rows[0]?.fields ?? []).map(({ key, type }): [string, Field] => [
    key,
    { name: `custom.${key}`, type: TYPES[type] ?? "text", column: "custom", key },
  ]);
  return { defaultCountry: rows[0]?.country ?? null, custom: new Map(custom) };
}
