import { Type } from "typebox";
import { notFound } from "../../core/refusal.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { bad, cleanText } from "../values/bad-input.ts";
import { FIELD_JSON } from "./field-input.ts";

const ONE = `SELECT ${FIELD_JSON} AS json FROM custom_field f WHERE project_id = $1 AND key = $2`;

/** One custom field as JSON text. */
export const getCustomField = memberOperation({
  name: "fields.get",
  needs: "leads:read",
  input: Type.Object({ key: Type.String() }, { additionalProperties: false }),
  async run(context, { key }): Promise<string> {
    const { db, caller } = context;
    await checked(context, () => cleanText(key, "$.key", 200) || bad("$.key", "required", "is required"));
    const [field] = await db.query<{ json: string }>(ONE, [caller.projectId, key], { prepare: true });
    if (field === undefined) throw notFound("field");
    return field.json;
  },
});

const ALL = `SELECT ${FIELD_JSON} AS json FROM custom_field f WHERE project_id = $1 ORDER BY position, key`;

/** The project's custom fields as JSON texts, in their order; at most 200. */
export const listCustomFields = memberOperation({
  name: "fields.list",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<string[]> {
    const rows = await db.query<{ json: string }>(ALL, [caller.projectId], { prepare: true });
    return rows.map(({ json }) => json);
  },
});
