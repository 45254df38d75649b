import { Type } from "typebox";
import { memberOperation } from "../operation/operation.ts";

/** The statuses of the project's leads, in their order; new leads get the first. */
export const listStatuses = memberOperation({
  name: "statuses.list",
  lane: "keyed",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<string[]> {
    const sql = "SELECT statuses FROM project WHERE project_id = $1";
    return (await db.query<{ statuses: string[] }>(sql, [caller.projectId]))[0]?.statuses ?? [];
  },
});
