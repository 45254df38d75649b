import { type Static, Type } from "typebox";
import { memberOperation } from "../operation.ts";
import { ALIVE } from "./alive.ts";

/** By what leads are taken for the same person: each is an index. */
const SAME = {
  email: { key: "lower(email)", known: "email IS NOT NULL" },
  phone: { key: "phone_e164", known: "phone_e164 IS NOT NULL" },
  name_and_company: {
    key: "person_key(name, first_name, last_name, company)",
    known: "company IS NOT NULL AND coalesce(name, first_name || ' ' || last_name) IS NOT NULL",
  },
} as const;

const MOST_IDS = 5;

export const DuplicateGroupsInput = Type.Object(
  {
    by: Type.Enum(["email", "phone", "name_and_company"]),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "20 where left out." })),
  },
  { additionalProperties: false },
);

/** Leads that look like one person. */
export interface DuplicateGroup {
  count: number;
  /** The first five, the oldest first. */
  ids: string[];
}

const LIVE = `project_id = $1 AND ${ALIVE}`;

const groupsSql = ({ key, known }: { key: string; known: string }): string =>
  `SELECT g.count, (SELECT array_agg(id ORDER BY id) FROM (
      SELECT id FROM lead WHERE ${LIVE} AND ${known} AND ${key} = g.same ORDER BY id LIMIT ${MOST_IDS}) AS first) AS ids
   FROM (SELECT ${key} AS same, count(*)::integer AS count FROM lead WHERE ${LIVE} AND ${known}
     GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT $2) AS g ORDER BY g.count DESC, 2`;

/**
 * The largest groups of leads that have the same e-mail in any case, the same phone, or the same name and company.
 * One round trip; it visits every lead of the project.
 */
export const findDuplicateGroups = memberOperation({
  name: "leads.duplicate-groups",
  needs: "leads:read",
  input: DuplicateGroupsInput,
  async run(
    { db, caller },
    { by, limit = 20 }: Static<typeof DuplicateGroupsInput>,
  ): Promise<DuplicateGroup[]> {
    return await db.query<DuplicateGroup>(groupsSql(SAME[by]), [caller.projectId, limit], { prepare: true });
  },
});
