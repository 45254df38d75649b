import { Type } from "typebox";
import { WRITABLE } from "../../contract/lists/written-fields.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { bad } from "../values/bad-input.ts";

const UntrackedFields = Type.Object(
  { fields: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 }) },
  { additionalProperties: false },
);

/** The untracked fields of the project's leads. */
export const getUntrackedFields = memberOperation({
  name: "quiet_fields.get",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<string[]> {
    const sql = "SELECT quiet_fields AS fields FROM project WHERE project_id = $1";
    return (await db.query<{ fields: string[] }>(sql, [caller.projectId]))[0]?.fields ?? [];
  },
});

/** Sets the untracked standard fields; a custom field has a setting of its own. */
export const setUntrackedFields = memberOperation({
  name: "quiet_fields.set",
  needs: "schema:write",
  input: UntrackedFields,
  async run(context, { fields }): Promise<string[]> {
    const { db, caller } = context;
    await checked(context, () => {
      fields.forEach((name, i) => {
        if (!WRITABLE.has(name))
          bad(
            `$.fields[${i}]`,
            "unknown_field",
            "is not a standard field; for a custom field, set its timeline to false",
          );
      });
    });
    const sql = "UPDATE project SET quiet_fields = $2 WHERE project_id = $1 RETURNING quiet_fields AS fields";
    const rows = await db.query<{ fields: string[] }>(sql, [caller.projectId, [...new Set(fields)].sort()]);
    return rows[0]?.fields ?? [];
  },
});
