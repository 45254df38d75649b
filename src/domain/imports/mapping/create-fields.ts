import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { ChangeItem } from "../../changes/change-items.ts";
import { recordItems } from "../../changes/record-items.ts";
import { MOST_FIELDS } from "../../custom-fields/create-field.ts";
import { DEFINITION } from "../../custom-fields/field-input.ts";
import { roomSql } from "../../sql/room.ts";
import { CUSTOM } from "../../values/value.ts";
import { filledFields } from "./filled-fields.ts";

type Fields = NonNullable<ImportMapping["fields"]>;

const KNOWN = "SELECT key FROM custom_field WHERE project_id = $1";

const CREATE = `WITH ${roomSql("custom_field WHERE project_id = $1", MOST_FIELDS)}, made AS (
    INSERT INTO custom_field (project_id, key, label, type, options) SELECT $1, $2, $3, $4, $5 FROM room
    ON CONFLICT (project_id, key) DO NOTHING RETURNING *
  ) SELECT ${DEFINITION} AS definition FROM made f`;

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

/** Creates the custom fields that a mapping declares and fills, but that the project lacks, as a change. */
export async function createFields(tx: Transaction, change: Change, mapping: ImportMapping): Promise<void> {
  const { projectId } = change.by;
  const items: ChangeItem[] = [];
  for (const [key, { label, type, options = [] }] of Object.entries(
    await missingFields(tx, projectId, mapping),
  )) {
    const values = [projectId, key, label.trim(), type, options];
    const [made] = await tx.query<{ definition: object }>(CREATE, values);
    if (made !== undefined)
      items.push({ kind: "field", recordId: key, before: null, after: made.definition });
    else if (key in (await missingFields(tx, projectId, mapping)))
      throw new Refusal("conflict", "too_many_fields", `A project has at most ${MOST_FIELDS} custom fields.`);
  }
  const [first, ...others] = items;
  if (first === undefined) return;
  const fields = items.map(({ recordId }) => CUSTOM + recordId);
  change.about = others.length === 0 ? { field: first.recordId } : { fields };
  await recordItems(tx, change, { fields_changed: items.length }, items);
}
