import { Type } from "typebox";
import { memberOperation } from "../operation/operation.ts";

/** A member of a project, who may own leads. */
export interface Owner {
  id: string;
  name: string;
  /** In lower case. */
  email: string;
  /** Whether the caller acts for this person. */
  me: boolean;
}

const MEMBERS = `SELECT p.id, left(p.name, 200) AS name, lower(p.email) AS email, coalesce(p.id = (
    SELECT a.person_id FROM access_token t JOIN "authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
    WHERE t.project_id = $1 AND t.hash = $2), false) AS me
  FROM membership m JOIN person p ON p.id = m.person_id WHERE m.project_id = $1
  ORDER BY lower(p.name), p.id`;

/** Returns the members of a project by name, for callers who may read its leads. */
export const listOwners = memberOperation({
  name: "projects.owners",
  lane: "keyed",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<Owner[]> {
    const hash = caller.kind === "token" ? caller.hash : null;
    return await db.query<Owner>(MEMBERS, [caller.projectId, hash], { prepare: true });
  },
});
