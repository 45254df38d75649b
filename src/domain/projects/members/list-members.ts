import type { Role } from "../../../core/permission.ts";
import { managerOperation } from "../../operation/callers.ts";

/** A member of a project. */
export interface ProjectMember {
  id: string;
  name: string;
  email: string;
  /** Whether the e-mail is known to be theirs. */
  verified: boolean;
  role: Role;
  since: Date;
}

/** An invitation that is still open. */
export interface PendingInvitation {
  id: string;
  email: string;
  role: Role;
  /** Null once that person's account is deleted. */
  invitedBy: string | null;
  expiresAt: Date;
}

const MEMBERS = `SELECT p.id, p.name, p.email, p.verified_at IS NOT NULL AS verified, m.role, m.created_at AS since FROM membership m
  JOIN person p ON p.id = m.person_id WHERE m.project_id = $1
  ORDER BY array_position('{owner,admin,editor,viewer}', m.role), lower(p.name), p.id`;

const INVITATIONS = `SELECT i.id, i.email, i.role, p.name AS "invitedBy", i.expires_at AS "expiresAt" FROM invitation i
  LEFT JOIN person p ON p.id = i.invited_by
  WHERE i.project_id = $1 AND i.expires_at > moment() ORDER BY i.id DESC`;

/** The members and open invitations of a project, for those who manage it. */
export const listMembers = managerOperation({
  name: "members.list",
  async run({ db, caller: { projectId } }): Promise<{
    project: { id: string; name: string };
    members: ProjectMember[];
    invitations: PendingInvitation[];
  }> {
    return await db.transaction(async (tx) => {
      const [project] = await tx.query<{ name: string }>("SELECT name FROM project WHERE project_id = $1", [
        projectId,
      ]);
      const members = await tx.query<ProjectMember>(MEMBERS, [projectId]);
      const invitations = await tx.query<PendingInvitation>(INVITATIONS, [projectId]);
      return { project: { id: projectId, name: project?.name ?? "" }, members, invitations };
    });
  },
});
