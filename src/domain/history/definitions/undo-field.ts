import type { CustomFieldType } from "../../../contract/lists/column-types.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { MOST_FIELDS } from "../../custom-fields/create-field.ts";
import { DEFINITION } from "../../custom-fields/field-input.ts";
import { othersFit } from "../../custom-fields/fit-values.ts";
import { NAMED_IN_VIEW } from "../../custom-fields/named-in-view.ts";
import { dropIndexesOf, requestIndex } from "../../field-index/requested-index.ts";
import { comparesAlike } from "../../fields/index-form.ts";
import { roomSql } from "../../sql/room.ts";
import { type DefinitionChange, type DefinitionStep, stepOf } from "./definition-step.ts";

/** A custom field as a change keeps it. */
export interface FieldDefinition {
  key: string;
  label: string;
  type: CustomFieldType;
  options: string[];
  description: string | null;
  timeline: boolean;
  position: number;
  indexed: boolean;
  created_at: string;
}

const LOCK = `SELECT ${DEFINITION} AS definition FROM custom_field f WHERE project_id = $1 AND key = $2 FOR UPDATE`;

/** Whether any lead, deleted and merged ones too, has a value, or a saved view names the field. */
const USED = `SELECT EXISTS (SELECT FROM lead WHERE project_id = $1 AND custom ? $2) OR EXISTS (
    SELECT FROM saved_view WHERE project_id = $1 AND ${NAMED_IN_VIEW}) AS used`;

const DELETE = "DELETE FROM custom_field WHERE project_id = $1 AND key = $2";

const WRITE = `UPDATE custom_field f SET label = $3, type = $4, options = $5, description = $6, timeline = $7, position = $8
  WHERE project_id = $1 AND key = $2 RETURNING key`;

const CREATE = `WITH ${roomSql("custom_field WHERE project_id = $1", MOST_FIELDS)}, made AS (
    INSERT INTO custom_field (project_id, key, label, type, options, description, timeline, position, created_at)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9::timestamptz FROM room ON CONFLICT (project_id, key) DO NOTHING RETURNING key
  ) SELECT key FROM made`;

interface Stored {
  definition: FieldDefinition;
}

/** Undoes what the change `of` did to a field, unless it was changed since or leads need it as it is. */
export async function undoField(
  tx: Transaction,
  projectId: string,
  of: string,
  item: DefinitionChange<FieldDefinition> & { key: string },
): Promise<DefinitionStep> {
  const { key, before } = item;
  const [stored] = await tx.query<Stored>(LOCK, [projectId, key]);
  const now = stored?.definition;
  const step = stepOf(item, now);
  if (step === "nothing") return { did: "nothing" };
  if (step === "taken" || step === "changed_since") return { did: "kept", reason: step };
  if (step === "delete") {
    const [found] = await tx.query<{ used: boolean }>(USED, [projectId, key]);
    if (found?.used === true) return { did: "kept", reason: "changed_since" };
    await dropIndexesOf(tx, projectId, key);
    await tx.query(DELETE, [projectId, key]);
    return { did: "deleted", before: now ?? null, after: null };
  }
  if (before === null) throw new Error("a field without a former definition is put back");
  const fits = step === "create" || (await othersFit(tx, projectId, of, before));
  if (!fits) return { did: "kept", reason: "does_not_fit" };
  const { label, type, options, description, timeline, position, created_at: createdAt } = before;
  const values = [projectId, key, label, type, options, description, timeline, position];
  const [written] =
    step === "create" ? await tx.query(CREATE, [...values, createdAt]) : await tx.query(WRITE, values);
  // The project has as many fields as it may have.
  if (written === undefined) return { did: "kept", reason: "does_not_fit" };
  if (now !== undefined && !comparesAlike(type, now.type)) await dropIndexesOf(tx, projectId, key);
  if (before.indexed !== (now?.indexed ?? false)) await requestIndex(tx, projectId, key, before.indexed);
  const [after] = await tx.query<Stored>(LOCK, [projectId, key]);
  const did = step === "create" ? "restored" : "put_back";
  return { did, before: now ?? null, after: after?.definition ?? null };
}
