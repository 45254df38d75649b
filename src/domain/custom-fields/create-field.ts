import { CustomFieldInput } from "../../contract/nouns/field.ts";
import { Refusal } from "../../core/refusal.ts";
import { newChange } from "../changes/change.ts";
import { recordItems } from "../changes/record-items.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { buildBehind, indexName } from "./build-index.ts";
import { checkIndexed, checkOptions, checkTexts, DEFINITION, FIELD_JSON } from "./field-input.ts";

/** The maximum number of custom fields in a project. */
export const MOST_FIELDS = 200;

const CREATE = `WITH made AS (
    INSERT INTO custom_field (project_id, key, label, type, options, description, timeline, position, index_name)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 WHERE (SELECT count(*) FROM custom_field WHERE project_id = $1) < ${MOST_FIELDS}
    ON CONFLICT (project_id, key) DO NOTHING RETURNING *
  ) SELECT (SELECT ${FIELD_JSON} FROM made f) AS json, (SELECT ${DEFINITION} FROM made f) AS definition`;

interface Made {
  json: string | null;
  definition: object | null;
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
      indexed ? indexName(key) : null,
    ];
    const change = newChange(context, "field.create", { about: { field: key } });
    const row = await db.transaction(async (tx) => {
      const [made] = await tx.query<Made>(CREATE, values);
      if (made === undefined || made.json === null) return undefined;
      await recordItems(tx, change, { fields_changed: 1 }, [
        { kind: "field", recordId: key, before: null, after: made.definition },
      ]);
      return made;
    });
    if (typeof row?.json === "string") {
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
