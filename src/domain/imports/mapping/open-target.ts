import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { CellType } from "../../../contract/lists/column-types.ts";
import { FILE_FIELDS } from "../../../contract/lists/opt-outs.ts";
import { IMPORT_FIELDS } from "../../../contract/lists/written-fields.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { LABELS } from "../../fields/field-label.ts";
import { ownersOf } from "../../fields/owners.ts";
import { bad } from "../../values/bad-input.ts";
import { CUSTOM, isCustom } from "../../values/value.ts";
import { plainHeader } from "./header-words.ts";
import type { ImportTarget } from "./import-target.ts";
import { openRowsTarget } from "./rows-target.ts";

/** Of owners, guessing looks at the cells, too. */
const STANDARD_LABELS = Object.values(LABELS)
  .flatMap(Object.entries<string>)
  .filter(([field]) => field !== "owner_id");

/** Reads the project or the dataset; custom fields that the mapping declares count as if they existed. */
export async function openTarget(
  tx: Transaction,
  projectId: string,
  mapping: ImportMapping,
  datasetId: string | null = null,
): Promise<ImportTarget> {
  if (datasetId !== null) return await openRowsTarget(tx, projectId, datasetId, mapping);
  const [project] = await tx.query<{
    default_country: string | null;
    currency: string | null;
    timezone: string;
    statuses: string[];
    now: Date;
  }>(
    "SELECT default_country, currency, timezone, statuses, moment() AS now FROM project WHERE project_id = $1",
    [projectId],
  );
  if (project === undefined) throw new Refusal("not_found", "not_found", "No such project.");
  const own = await tx.query<{ key: string; label: string; type: CellType; options: string[] }>(
    "SELECT key, label, type, options FROM custom_field WHERE project_id = $1",
    [projectId],
  );
  const fields: ImportTarget["fields"] = new Map();
  for (const [field, type] of Object.entries(IMPORT_FIELDS)) {
    fields.set(field, { type, options: field === "status" ? project.statuses : [] });
  }
  for (const [field, { type, options }] of Object.entries(FILE_FIELDS))
    fields.set(field, { type, options: [...options] });
  for (const { key, type, options } of own) fields.set(CUSTOM + key, { type, options });
  const labels = new Map(
    [...own.map(({ key, label }) => [CUSTOM + key, label]), ...STANDARD_LABELS]
      .reverse()
      .map(([field = "", label = ""]) => [plainHeader(label), field]),
  );
  for (const [field, more] of Object.entries(mapping.options ?? {})) addOptions(fields, field, more);
  for (const [key, wanted] of Object.entries(mapping.fields ?? {})) {
    const known = fields.get(CUSTOM + key);
    if (known === undefined) fields.set(CUSTOM + key, { type: wanted.type, options: wanted.options ?? [] });
    const type = known?.type ?? wanted.type;
    if (type === wanted.type) continue;
    throw new Refusal(
      "conflict",
      "field_type",
      `The custom field ${key} already exists with the type ${type}, not ${wanted.type}.`,
    );
  }
  return {
    projectId,
    country: project.default_country,
    currency: project.currency,
    timezone: project.timezone,
    statuses: project.statuses,
    fill: mapping.fill ?? false,
    mode: mapping.mode ?? "upsert",
    keepsOptOut: mapping.clear_opt_out !== true,
    owners: await ownersOf(tx, projectId),
    fields,
    labels,
    rows: null,
    now: project.now,
  };
}

/** Options that the commit creates count as if they existed. */
function addOptions(fields: ImportTarget["fields"], field: string, more: readonly string[]): void {
  const known = fields.get(field);
  if (known?.type !== "enum" || (field !== "status" && !isCustom(field)))
    bad(`$.options.${field}`, "not_an_enum", "must be status or a custom field with options");
  fields.set(field, { type: "enum", options: [...new Set([...known.options, ...more])] });
}
