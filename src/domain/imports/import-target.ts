import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/database.ts";
import { type CellType, IMPORT_FIELDS } from "./import-field.ts";
import type { Mapping } from "./mapping.ts";
import { CUSTOM } from "./value.ts";

/** The project as an import sees it: its fields with their types and options, its country. */
export interface ImportTarget {
  projectId: string;
  country: string | null;
  statuses: string[];
  fields: Map<string, { type: CellType; options: string[] }>;
}

/** Reads the project and creates the mapping's custom fields that it lacks. */
export async function openTarget(
  tx: Transaction,
  projectId: string,
  mapping: Mapping,
): Promise<ImportTarget> {
  const [project] = await tx.query<{ default_country: string | null; statuses: string[] }>(
    "SELECT default_country, statuses FROM project WHERE project_id = $1",
    [projectId],
  );
  if (project === undefined) throw new Refusal("not_found", "not_found", "No such project.");
  for (const [key, { label, type, options = [] }] of Object.entries(mapping.fields ?? {})) {
    await tx.query(
      `INSERT INTO custom_field (project_id, key, label, type, options) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (project_id, key) DO NOTHING`,
      [projectId, key, label, type, options],
    );
  }
  const own = await tx.query<{ key: string; type: CellType; options: string[] }>(
    "SELECT key, type, options FROM custom_field WHERE project_id = $1",
    [projectId],
  );
  const fields: ImportTarget["fields"] = new Map();
  for (const [field, type] of Object.entries(IMPORT_FIELDS)) {
    fields.set(field, { type, options: field === "status" ? project.statuses : [] });
  }
  for (const { key, type, options } of own) fields.set(CUSTOM + key, { type, options });
  for (const [key, wanted] of Object.entries(mapping.fields ?? {})) {
    const type = fields.get(CUSTOM + key)?.type;
    if (type === wanted.type) continue;
    throw new Refusal(
      "conflict",
      "field_type",
      `The custom field ${key} exists as ${type}, not ${wanted.type}.`,
    );
  }
  return { projectId, country: project.default_country, statuses: project.statuses, fields };
}
