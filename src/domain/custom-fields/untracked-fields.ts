import { isDeepStrictEqual } from "node:util";
import { Type } from "typebox";
import { WRITABLE } from "../../contract/lists/written-fields.ts";
import { newChange } from "../changes/change.ts";
import { recordItems } from "../changes/record-items.ts";
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

const LOCK = "SELECT quiet_fields AS fields FROM project WHERE project_id = $1 FOR NO KEY UPDATE";

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
    const change = newChange(context, "untracked_fields.set");
    return await db.transaction(async (tx) => {
      const [before] = await tx.query<{ fields: string[] }>(LOCK, [caller.projectId]);
      const after = [...new Set(fields)].sort();
      if (before === undefined || isDeepStrictEqual(before.fields, after)) return after;
      await tx.query("UPDATE project SET quiet_fields = $2 WHERE project_id = $1", [caller.projectId, after]);
      const item = { kind: "untracked", recordId: "untracked", before, after: { fields: after } } as const;
      await recordItems(tx, change, { fields_changed: 1 }, [item]);
      return after;
    });
  },
});
