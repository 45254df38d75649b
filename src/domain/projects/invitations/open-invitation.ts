import type { Role } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import { serviceDoor } from "../../../db/pool/project-door.ts";
import { anonymousOperation } from "../../operation/callers.ts";
import { readInvitation } from "./invitation-text.ts";

/** What the holder of an invitation's link sees. */
export interface OpenInvitation {
  projectId: string;
  projectName: string;
  email: string;
  role: Role;
  /** Null if the operator invited, or the account is deleted. */
  inviter: string | null;
  expiresAt: Date;
  /** Whether the link was only mailed: its holder has proved that the invited e-mail is theirs. */
  mailed: boolean;
  /** The account of the invited e-mail; null for a link that was shown, which does not reveal it. */
  account: "none" | "unverified" | "verified" | null;
}

/** The refusal for a link that was used or withdrawn, has expired, or never existed. */
export const invitationOver = (): Refusal =>
  new Refusal(
    "not_found",
    "invitation_over",
    "This invitation has been used or withdrawn, or is older than seven days. Ask for a new one.",
  );

const FIND = `SELECT i.project_id AS "projectId", p.name AS "projectName", i.email, i.role, w.name AS inviter,
    i.expires_at AS "expiresAt", i.mailed,
    CASE WHEN i.mailed THEN coalesce(
      (SELECT CASE WHEN verified_at IS NULL THEN 'unverified' ELSE 'verified' END
        FROM person WHERE lower(person.email) = lower(i.email)), 'none') END AS account
  FROM invitation i JOIN project p ON p.project_id = $1 LEFT JOIN person w ON w.id = i.invited_by
  WHERE i.project_id = $1 AND i.hash = $2 AND i.expires_at > moment()`;

/** The open invitation of a link; refuses (`invitation_over`) any other text. */
export const openInvitation = anonymousOperation({
  name: "invitations.open",
  async run({ db }, { link }: { link: string }): Promise<OpenInvitation> {
    const address = readInvitation(link);
    if (address === undefined) throw invitationOver();
    const rows = await db
      .behind(serviceDoor(address.projectId))
      .query<OpenInvitation>(FIND, [address.projectId, address.hash]);
    if (rows[0] === undefined) throw invitationOver();
    return rows[0];
  },
});
