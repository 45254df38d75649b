import type { CustomFieldType } from "../../../contract/lists/column-types.ts";
import { MOST_FIELDS } from "../../custom-fields/create-field.ts";
import { DEFINITION } from "../../custom-fields/field-input.ts";
import { othersFit } from "../../custom-fields/fit-values.ts";
import { NAMED_IN_VIEW } from "../../custom-fields/named-in-view.ts";
import { dropIndexesOf, requestIndex } from "../../field-index/requested-index.ts";
import { comparesAlike } from "../../fields/index-form.ts";
import { roomSql } from "../../sql/room.ts";
import type { Definition } from "./kind.ts";

/** A custom field as a change keeps it. */
interface FieldDefinition {
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

const LOCK = `SELECT ${DEFINITION} AS now FROM custom_field f WHERE project_id = $1 AND key = $2 FOR UPDATE`;

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

/** A custom field. One that a lead has a value of, or that a view names, is not deleted. */
export const fieldDefinition: Definition = {
  absent: "changed_since",
  counted: "fields_changed",
  lock: async (tx, projectId, key) => (await tx.query<{ now: object }>(LOCK, [projectId, key]))[0],
  async write(tx, projectId, { id: key, of, now, former }) {
    if (former === null) {
      const [found] = await tx.query<{ used: boolean }>(USED, [projectId, key]);
      if (found?.used === true) return "changed_since";
      await dropIndexesOf(tx, projectId, key);
      await tx.query(DELETE, [projectId, key]);
      return { after: null };
    }
    const present = now as FieldDefinition | null;
    const field = former as FieldDefinition;
    if (present !== null && !(await othersFit(tx, projectId, of, field))) return "does_not_fit";
    const { label, type, options, description, timeline, position, created_at: createdAt } = field;
    const values = [projectId, key, label, type, options, description, timeline, position];
    const [written] =
      present === null ? await tx.query(CREATE, [...values, createdAt]) : await tx.query(WRITE, values);
    // The project has as many fields as it may have.
    if (written === undefined) return "does_not_fit";
    if (present !== null && !comparesAlike(type, present.type)) await dropIndexesOf(tx, projectId, key);
    if (field.indexed !== (present?.indexed ?? false)) await requestIndex(tx, projectId, key, field.indexed);
    const [stored] = await tx.query<{ now: object }>(LOCK, [projectId, key]);
    return { after: stored?.now ?? null };
  },
};
