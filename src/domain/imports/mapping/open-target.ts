import type { CellType } from "../../../contract/lists/column-types.ts";
import { IMPORT_FIELDS } from "../../../contract/lists/written-fields.ts";
import type { ImportMapping } from "../../../contract/nouns/imports/import-mapping.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { may } from "../../operation/may-sql.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { bad } from "../../values/bad-input.ts";
import { CUSTOM } from "../../values/value.ts";
import type { ImportTarget } from "./import-target.ts";
import { openRowsTarget } from "./rows-target.ts";

/**
 * Reads the project or the dataset, and creates the mapping's custom fields that are missing; refuses (403) a `maker`
 * without schema:write. Null is the operator.
 */
export async function openTarget(
  tx: Transaction,
  projectId: string,
  mapping: ImportMapping,
  datasetId: string | null,
  maker: Credential | null,
): Promise<ImportTarget> {
  if (datasetId !== null) return await openRowsTarget(tx, projectId, datasetId, mapping);
  if (mapping.mode !== undefined) bad("$.mode", "unexpected", "is allowed only for rows of a dataset");
  const [project] = await tx.query<{
    default_country: string | null;
    timezone: string;
    statuses: string[];
    quiet_fields: string[];
    now: Date;
  }>(
    "SELECT default_country, timezone, statuses, quiet_fields, moment() AS now FROM project WHERE project_id = $1",
    [projectId],
  );
  if (project === undefined) throw new Refusal("not_found", "not_found", "No such project.");
  let fresh = 0;
  for (const [key, { label, type, options = [] }] of Object.entries(mapping.fields ?? {})) {
    const made = await tx.query(
      `INSERT INTO custom_field (project_id, key, label, type, options) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (project_id, key) DO NOTHING RETURNING key`,
      [projectId, key, label, type, options],
    );
    fresh += made.length;
  }
  if (fresh > 0 && maker !== null && !(await may(tx, maker, "schema:write"))) throw fixedSchema();
  const own = await tx.query<{ key: string; type: CellType; options: string[]; timeline: boolean }>(
    "SELECT key, type, options, timeline FROM custom_field WHERE project_id = $1",
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
      `The custom field ${key} already exists with the type ${type}, not ${wanted.type}.`,
    );
  }
  const untracked = own.flatMap(({ key, timeline }) => (timeline ? [] : [CUSTOM + key]));
  return {
    projectId,
    country: project.default_country,
    timezone: project.timezone,
    statuses: project.statuses,
    untracked: new Set([...project.quiet_fields, ...untracked]),
    fields,
    rows: null,
    now: project.now,
  };
}

const fixedSchema = (): Refusal =>
  new Refusal(
    "forbidden",
    "missing_permission",
    "Creating the custom fields of this mapping needs the permission schema:write.",
  );
