import type { Likeness } from "../../../contract/lists/duplicates.ts";
import { DuplicateGroupsQuery } from "../../../contract/merges.ts";
import { type CursorBinding, readCursor, writeCursor } from "../../operation/cursor.ts";
import { checked, memberOperation } from "../../operation/operation.ts";
import type { CursorList } from "../../operation/page.ts";
import { NOT_DELETED } from "../../sql/not-deleted.ts";
import { SUBMISSION } from "../write/keep-submission.ts";

/** What duplicate leads have in common in their fields; each has an index. */
const SAME = {
  email: { key: "lower(email)", type: "text", known: "email IS NOT NULL" },
  phone: { key: "phone_e164", type: "text", known: "phone_e164 IS NOT NULL" },
  name_and_company: {
    key: "person_key(name, first_name, last_name, company)",
    type: "bigint",
    known: "company IS NOT NULL AND coalesce(name, first_name || ' ' || last_name) IS NOT NULL",
  },
} as const satisfies Record<Exclude<Likeness, "conflict">, object>;

const MOST_IDS = 5;

/** Leads that may be the same person. */
export interface DuplicateGroup {
  count: number;
  /** The first five, oldest first. */
  ids: string[];
}

const LIVE = `project_id = $1 AND ${NOT_DELETED}`;

/** The position of a page's end: the group's size and its shared value as text. */
type Mark = readonly [count: number, same: string];

const groupsSql = ({ key, type, known }: (typeof SAME)[keyof typeof SAME]): string =>
  `SELECT g.count, g.same::text, (SELECT array_agg(id ORDER BY id) FROM (
      SELECT id FROM lead WHERE ${LIVE} AND ${known} AND ${key} = g.same ORDER BY id LIMIT ${MOST_IDS}) AS first) AS ids
   FROM (SELECT ${key} AS same, count(*)::integer AS count FROM lead WHERE ${LIVE} AND ${known}
     GROUP BY 1 HAVING count(*) > 1 AND ($3::integer IS NULL OR count(*) < $3 OR (count(*) = $3 AND ${key} > $4::${type}))
     ORDER BY 2 DESC, 1 LIMIT $2) AS g ORDER BY g.count DESC, g.same`;

/** Leads that a submission by somebody who may only create fits, by the lead that keeps it. */
const CONFLICTS = `SELECT count, same, ids[1:${MOST_IDS}] AS ids FROM (
    SELECT e.lead_id AS same, count(DISTINCT lead.id)::integer AS count, array_agg(DISTINCT lead.id) AS ids
    FROM event e, jsonb_array_elements_text(CASE jsonb_typeof(e.data -> 'leads') WHEN 'array' THEN e.data -> 'leads' ELSE '[]' END) AS named_id, lead
    WHERE e.project_id = $1 AND e.type = '${SUBMISSION}' AND lead.project_id = $1 AND lead.id = named_id AND ${NOT_DELETED} GROUP BY e.lead_id
  ) AS g WHERE count > 1 AND ($3::integer IS NULL OR count < $3 OR (count = $3 AND same > $4::text))
  ORDER BY count DESC, same LIMIT $2`;

/**
 * Returns groups of leads with the same e-mail (ignoring case), phone, or name and company, or that one submission fits,
 * largest first, in pages. Reads every lead of the project, or every such submission.
 */
export const findDuplicateGroups = memberOperation({
  name: "leads.duplicate-groups",
  needs: "leads:read",
  input: DuplicateGroupsQuery,
  async run(
    { service, db, caller },
    { by, limit = 20, cursor }: DuplicateGroupsQuery,
  ): Promise<CursorList<DuplicateGroup>> {
    const { projectId } = caller;
    const binding: CursorBinding = [projectId, "leads.duplicate-groups", by];
    const after = await checked({ db }, () =>
      cursor === undefined ? undefined : readCursor<Mark>(service, binding, cursor),
    );
    const [count = null, same = null] = after ?? [];
    const found = await db.query<DuplicateGroup & { same: string }>(
      by === "conflict" ? CONFLICTS : groupsSql(SAME[by]),
      [projectId, limit + 1, count, same],
      { prepare: true },
    );
    const groups = found.slice(0, limit);
    return {
      items: groups.map(({ count, ids }) => ({ count, ids })),
      hasMore: found.length > limit,
      cursorAfter(index) {
        const last = groups[index];
        return writeCursor(service, binding, [last?.count, last?.same]);
      },
    };
  },
});
