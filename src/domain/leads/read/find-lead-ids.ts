import { Type } from "typebox";
import { memberOperation } from "../../operation/operation.ts";

const BEGINNING = `SELECT id FROM lead WHERE project_id = $1 AND id >= $2 AND id < $2 || '~'
  AND deleted_at IS NULL AND merged_into_id IS NULL ORDER BY id LIMIT $3`;

/** Returns the ids of leads that start with what a user has typed. */
export const findLeadIds = memberOperation({
  name: "leads.ids",
  needs: "leads:read",
  input: Type.Object(
    {
      beginning: Type.String({ pattern: "^lead_[0-9a-z]*$", maxLength: 40 }),
      limit: Type.Integer({ minimum: 1, maximum: 100 }),
    },
    { additionalProperties: false },
  ),
  async run({ db, caller }, { beginning, limit }): Promise<string[]> {
    const rows = await db.query<{ id: string }>(BEGINNING, [caller.projectId, beginning, limit], {
      prepare: true,
    });
    return rows.map(({ id }) => id);
  },
});
