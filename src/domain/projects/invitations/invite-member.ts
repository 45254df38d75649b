import { newId } from "../../../core/id.ts";
import type { Locale } from "../../../core/locale.ts";
import type { Role } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { checkEmail, findPerson } from "../../accounts/people/create-person.ts";
import { record } from "../../operation/audit/record.ts";
import { managerOrOperatorOperation } from "../../operation/callers.ts";
import { mailInvitation } from "../../operation/mail/invitation-mail.ts";
import { lockProject, mayManage } from "../members/lock-project.ts";
import { countInvitation } from "./invitation-limit.ts";
import { newInvitation } from "./invitation-text.ts";

const MOST_OPEN = 100;

const INSERT = `INSERT INTO invitation (project_id, id, hash, email, role, invited_by, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, moment() + interval '7 days')`;

interface Invited {
  email: string;
  role: Role;
  /** The language of the mail if the invited person has chosen none. */
  locale: Locale;
}

/**
 * Invites a person to a project with a link that works once, for seven days. The link is returned only here, and
 * mailed if SMTP is configured. A second invitation of an e-mail replaces the first. The operator is not limited.
 */
export const inviteMember = managerOrOperatorOperation({
  name: "members.invite",
  async run({ service, db, caller }, input: Invited): Promise<{ id: string; link: string }> {
    const { projectId, personId: actor } = caller;
    const { role } = input;
    const email = checkEmail(input.email);
    const id = newId("inv");
    const { text, hash } = newInvitation(projectId);
    const known = await findPerson(service.db, email);
    const about = await db.transaction(async (tx) => {
      const roles = await lockProject(tx, projectId);
      if (actor !== null) mayManage(roles.get(actor), role);
      if (known !== undefined && roles.has(known.id)) {
        throw new Refusal("conflict", "already_member", `${email} is already in this project.`);
      }
      if (actor !== null) await countInvitation(service, tx, { personId: actor, projectId, email });
      await makeRoom(tx, projectId, email);
      await tx.query(INSERT, [projectId, id, hash, email, role, actor ?? "operator"]);
      // the audit log outlives accounts, so it records the invitation's id and no e-mail
      const data = { invitation_id: id, role };
      await record(service, tx, { action: "member.invited", projectId, ...(actor && { actor }), data });
      return await namesOf(tx, projectId, actor);
    });
    const link = `${service.config.authUrl}/invitation/${text}`;
    mailInvitation(service, { to: email, locale: known?.locale ?? input.locale, link, ...about });
    return { id, link };
  },
});

/** Deletes the invitation that this one replaces and all expired ones; refuses if too many are open. */
async function makeRoom(tx: Transaction, projectId: string, email: string): Promise<void> {
  await tx.query(
    "DELETE FROM invitation WHERE project_id = $1 AND (lower(email) = lower($2) OR expires_at <= moment())",
    [projectId, email],
  );
  const open = await tx.query("SELECT FROM invitation WHERE project_id = $1", [projectId]);
  if (open.length < MOST_OPEN) return;
  throw new Refusal(
    "conflict",
    "many_invitations",
    `${MOST_OPEN} invitations are open in this project. Withdraw some first.`,
  );
}

async function namesOf(tx: Transaction, projectId: string, actor: string | null) {
  const [names] = await tx.query<{ projectName: string; inviter: string | null }>(
    `SELECT name AS "projectName", (SELECT name FROM person WHERE id = $2) AS inviter
     FROM project WHERE project_id = $1`,
    [projectId, actor],
  );
  return { projectName: names?.projectName ?? "", inviter: names?.inviter ?? null };
}
