import { Type } from "typebox";
import { memberOperation } from "../operation/operation.ts";
import { FIELD_JSON } from "./field-record.ts";

const ALL = `SELECT ${FIELD_JSON} AS json FROM custom_field f WHERE project_id = $1 ORDER BY position, key`;

/** The project's own fields as JSON texts, in their order. There are 200 at most. One round trip. */
export const listCustomFields = memberOperation({
  name: "fields.list",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<string[]> {
    const rows = await db.query<{ json: string }>(ALL, [caller.projectId], { prepare: true });
    return rows.map(({ json }) => json);
  },
});
