import { Type } from "typebox";
import type { Role } from "../../../core/permission.ts";
import { memberOperation } from "../../operation/operation.ts";

/** A member who may own leads. */
export interface NamedMember {
  id: string;
  name: string;
  role: Role;
}

const MEMBERS = `SELECT p.id, p.name, m.role FROM membership m JOIN person p ON p.id = m.person_id
  WHERE m.project_id = $1 ORDER BY lower(p.name), p.id`;

/** The project's members by name, for callers who show or choose owners of leads; without e-mail addresses. */
export const nameMembers = memberOperation({
  name: "members.names",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<NamedMember[]> {
    return await db.query<NamedMember>(MEMBERS, [caller.projectId], { prepare: true });
  },
});
