import { Type } from "typebox";
import type { Meaning } from "../../contract/lists/figures.ts";
import { type Meanings, meaningsOf } from "../fields/sales.ts";
import { memberOperation } from "../operation/operation.ts";

/** The statuses of the project's leads in their order, and what each means. */
export interface StatusMeanings {
  statuses: string[];
  meanings: Record<string, Meaning>;
}

/** The statuses of the project's leads, in their order; new leads get the first. */
export const listStatuses = memberOperation({
  name: "statuses.list",
  lane: "keyed",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<StatusMeanings> {
    const sql = "SELECT statuses, meanings FROM project WHERE project_id = $1";
    const [row] = await db.query<{ statuses: string[]; meanings: Meanings }>(sql, [caller.projectId]);
    const { statuses = [], meanings = {} } = row ?? {};
    return { statuses, meanings: meaningsOf(statuses, meanings) };
  },
});
