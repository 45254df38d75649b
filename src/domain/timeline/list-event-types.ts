import { Type } from "typebox";
import { SEEN_TYPES } from "../filter/unseen-types.ts";
import { memberOperation } from "../operation/operation.ts";

/** Returns the types of the project's events in order, at most 500. */
export const listEventTypes = memberOperation({
  name: "timeline.types",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<string[]> {
    const [row] = await db.query<{ types: string[] }>(SEEN_TYPES, [caller.projectId], { prepare: true });
    return row?.types ?? [];
  },
});
