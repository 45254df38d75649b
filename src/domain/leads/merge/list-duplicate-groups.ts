import { DuplicateGroupsQuery } from "../../../contract/merges.ts";
import { leadColumns } from "../../fields/lead-columns.ts";
import { memberOperation } from "../../operation/operation.ts";
import type { CursorList } from "../../operation/page.ts";
import { type DuplicateGroup, findDuplicateGroups } from "./find-duplicate-groups.ts";

/** Leads that may be the same person; `leads` are the records, as text, of the first five, oldest first. */
export interface ShownGroup {
  count: number;
  leads: string[];
}

const LEADS = `SELECT id, (SELECT row_to_json(shown)::text FROM (SELECT ${leadColumns(undefined)}) AS shown) AS json
  FROM lead WHERE project_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND merged_into_id IS NULL`;

/** Returns the groups of `findDuplicateGroups` with their leads. */
export const listDuplicateGroups = memberOperation({
  name: "leads.list-duplicate-groups",
  needs: "leads:read",
  input: DuplicateGroupsQuery,
  async run(context, input): Promise<CursorList<ShownGroup>> {
    const groups = await findDuplicateGroups.run(context, input);
    const ids = groups.items.flatMap((group) => group.ids);
    if (ids.length === 0) return { ...groups, items: [] };
    const { db, caller } = context;
    const rows = await db.query<{ id: string; json: string }>(LEADS, [caller.projectId, ids], {
      prepare: true,
    });
    const byId = new Map(rows.map(({ id, json }) => [id, json]));
    const shown = ({ count, ids }: DuplicateGroup): ShownGroup => ({
      count,
      leads: ids.flatMap((id) => byId.get(id) ?? []),
    });
    return { ...groups, items: groups.items.map(shown) };
  },
});
