import { CustomFieldInput } from "../../contract/fields/fields.ts";
import { Refusal } from "../../core/refusal.ts";
import { newChange } from "../changes/change.ts";
import { recordItems } from "../changes/record-items.ts";
import { buildBehind } from "../field-index/build-indexes.ts";
import { requestIndex } from "../field-index/requested-index.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { roomSql } from "../sql/room.ts";
import { checkIndexed, checkOptions, checkTexts, DEFINITION, FIELD_JSON } from "./field-input.ts";

/** The maximum number of custom fields in a project. */
export const MOST_FIELDS = 200;

const CREATE = `WITH ${roomSql("custom_field WHERE project_id = $1", MOST_FIELDS)}, made AS (
    INSERT INTO custom_field (project_id, key, label, type, options, description, timeline, position)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM room
    ON CONFLICT (project_id, key) DO NOTHING RETURNING *
  ) SELECT ${FIELD_JSON} AS json, ${DEFINITION} AS definition FROM made f`;
const AGAIN = `SELECT ${FIELD_JSON} AS json, ${DEFINITION} AS definition FROM custom_field f WHERE project_id = $1 AND key = $2`;

interface Made {
  json: string;
  definition: object;
}

/** Adds a custom field to the project's leads. */
export const createField = memberOperation({
  name: "fields.create",
  needs: "schema:write",
  input: CustomFieldInput,
  async run(context, field): Promise<{ key: string; json: string }> {
    const { db, caller } = context;
    const { key, options = [], description = null, timeline = true, position = 0, indexed = false } = field;
    await checked(context, () => {
      checkTexts(field);
      checkOptions(field.type, options);
      checkIndexed(field.type, indexed);
    });
    const values = [
      caller.projectId,
      key,
      field.label.trim(),
      field.type,
      options,
      description,
      timeline,
      position,
    ];
    const change = newChange(context, "field.create", { about: { field: key } });
    const row = await db.transaction(async (tx) => {
      let [made] = await tx.query<Made>(CREATE, values);
      if (made === undefined) return undefined;
      if (indexed) {
        await requestIndex(tx, caller.projectId, key, true);
        [made = made] = await tx.query<Made>(AGAIN, [caller.projectId, key]);
      }
      await recordItems(tx, change, { fields_changed: 1 }, [
        { kind: "field", recordId: key, before: null, after: made.definition },
      ]);
      return made;
    });
    if (row !== undefined) {
      if (indexed) buildBehind(context.service, caller.projectId);
      return { key, json: row.json };
    }
    // Checked afterwards: of two concurrent calls, the one that waited sees the other's field only now.
    const [full] = await db.query<{ full: boolean }>(
      `SELECT count(*) >= ${MOST_FIELDS} AND count(*) FILTER (WHERE key = $2) = 0 AS full FROM custom_field WHERE project_id = $1`,
      [caller.projectId, key],
    );
    if (full?.full === true)
      throw new Refusal("conflict", "too_many_fields", `A project has at most ${MOST_FIELDS} custom fields.`);
    throw new Refusal("conflict", "field_exists", `The field ${key} already exists.`, {
      faults: [{ path: "$.key", code: "field_exists", message: "is already the key of another field" }],
    });
  },
});
