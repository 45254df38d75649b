import { isDeepStrictEqual } from "node:util";
import { Type } from "typebox";
import { CustomFieldPatch } from "../../contract/fields/fields.ts";
import type { CustomFieldType } from "../../contract/lists/column-types.ts";
import { notFound } from "../../core/refusal.ts";
import { newChange } from "../changes/change.ts";
import { recordItems } from "../changes/record-items.ts";
import { buildBehind } from "../field-index/build-indexes.ts";
import { dropIndexesOf, IS_INDEXED, requestIndex } from "../field-index/requested-index.ts";
import { comparesAlike } from "../fields/index-form.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { checkIndexed, checkOptions, checkTexts, DEFINITION, FIELD_JSON } from "./field-input.ts";
import { fitValues } from "./fit-values.ts";

const LOCK = `SELECT type, options, ${IS_INDEXED} AS indexed, ${DEFINITION} AS definition FROM custom_field f
  WHERE project_id = $1 AND key = $2 FOR UPDATE`;

interface Before {
  type: CustomFieldType;
  options: string[];
  indexed: boolean;
  definition: object;
}

const UPDATE = `WITH written AS (
    UPDATE custom_field SET label = coalesce($3, label), type = $4, options = $5,
      description = CASE WHEN $6 THEN $7 ELSE description END, timeline = coalesce($8, timeline), position = coalesce($9, position)
    WHERE project_id = $1 AND key = $2 RETURNING *
  ) SELECT ${FIELD_JSON} AS json, ${DEFINITION} AS definition FROM written f`;

/** Changes a field. Another type or fewer options are accepted only if the values of all leads fit. */
export const updateField = memberOperation({
  name: "fields.update",
  needs: "schema:write",
  input: Type.Object({ key: Type.String(), ...CustomFieldPatch.properties }, { additionalProperties: false }),
  async run(context, { key, ...patch }): Promise<string> {
    const { service, db, caller } = context;
    await checked(context, () => {
      if (key.includes("\0") || !key.isWellFormed()) throw notFound("field");
      checkTexts(patch);
    });
    const change = newChange(context, "field.update", { about: { field: key } });
    const { json, changed } = await db.transaction(async (tx) => {
      const own = [caller.projectId, key];
      const [before] = await tx.query<Before>(LOCK, own);
      if (before === undefined) throw notFound("field");
      const type = patch.type ?? before.type;
      const options = patch.options ?? (type === "enum" ? before.options : []);
      checkOptions(type, options);
      const indexed = patch.indexed ?? before.indexed;
      checkIndexed(type, indexed);
      const otherwise = !comparesAlike(type, before.type);
      if (otherwise) await dropIndexesOf(tx, caller.projectId, key);
      if (indexed !== before.indexed) await requestIndex(tx, caller.projectId, key, indexed);
      const fewer = before.options.some((option) => !options.includes(option));
      if (type !== before.type || (type === "enum" && fewer))
        await fitValues(tx, change, caller, key, type, options);
      const [field] = await tx.query<{ json: string; definition: object }>(UPDATE, [
        ...own,
        patch.label?.trim() ?? null,
        type,
        options,
        patch.description !== undefined,
        patch.description ?? null,
        patch.timeline ?? null,
        patch.position ?? null,
      ]);
      if (field === undefined) throw notFound("field");
      if (!isDeepStrictEqual(field.definition, before.definition)) {
        const item = {
          kind: "field",
          recordId: key,
          before: before.definition,
          after: field.definition,
        } as const;
        await recordItems(tx, change, { fields_changed: 1 }, [item]);
      }
      return { json: field.json, changed: otherwise || indexed !== before.indexed };
    });
    if (changed) buildBehind(service, caller.projectId);
    return json;
  },
});
