import type { ImportMapping } from "../../../contract/nouns/imports/import-mapping.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { MOST_FIELDS } from "../../custom-fields/create-field.ts";
import { CUSTOM } from "../../values/value.ts";

type Fields = NonNullable<ImportMapping["fields"]>;

const KNOWN = "SELECT key FROM custom_field WHERE project_id = $1";

const CREATE = `INSERT INTO custom_field (project_id, key, label, type, options)
  SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM custom_field WHERE project_id = $1) < ${MOST_FIELDS}
  ON CONFLICT (project_id, key) DO NOTHING RETURNING key`;

/** Returns the custom fields that a mapping declares and fills, but that the project lacks. */
export async function missingFields(
  tx: Pick<Transaction, "query">,
  projectId: string,
  mapping: ImportMapping,
): Promise<Fields> {
  const filled = filledFields(mapping);
  const wanted = Object.entries(mapping.fields ?? {}).filter(([key]) => filled.has(CUSTOM + key));
  if (wanted.length === 0) return {};
  const known = new Set((await tx.query<{ key: string }>(KNOWN, [projectId])).map(({ key }) => key));
  return Object.fromEntries(wanted.filter(([key]) => !known.has(key)));
}

/** Creates the custom fields that a mapping declares and fills, but that the project lacks. */
export async function createFields(
  tx: Transaction,
  projectId: string,
  mapping: ImportMapping,
): Promise<void> {
  const missing = await missingFields(tx, projectId, mapping);
  for (const [key, { label, type, options = [] }] of Object.entries(missing)) {
    const made = await tx.query(CREATE, [projectId, key, label.trim(), type, options]);
    if (made.length > 0 || !(key in (await missingFields(tx, projectId, mapping)))) continue;
    throw new Refusal("conflict", "too_many_fields", `A project has at most ${MOST_FIELDS} custom fields.`);
  }
}

function filledFields({ columns, set, calendar, events }: ImportMapping): Set<string> {
  const fields = [
    ...Object.values(columns).map((rule) => (typeof rule === "string" ? rule : rule.field)),
    ...Object.keys(set ?? {}),
    calendar?.field,
    ...(events ?? []).map((rule) => rule.first),
  ];
  return new Set(fields.filter((field) => field !== undefined));
}
