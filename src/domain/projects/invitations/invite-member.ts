import { newId } from "../../../core/id.ts";
import type { Locale } from "../../../core/locale.ts";
import type { Role } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { checkEmail, findPerson } from "../../accounts/people/create-person.ts";
import { record } from "../../operation/audit/record.ts";
import { managerOrOperatorOperation } from "../../operation/callers.ts";
import { invitationMail } from "../../operation/mail/invitation-mail.ts";
import { sendBehind, sendNow } from "../../operation/mail/mail.ts";
import { lockProject, mayManage } from "../members/lock-project.ts";
import { countInvitation } from "./invitation-limit.ts";
import { newInvitation } from "./invitation-text.ts";

const MOST_OPEN = 100;

const INSERT = `INSERT INTO invitation (project_id, id, hash, email, role, invited_by, mailed, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, moment() + interval '7 days')`;

interface Invited {
  email: string;
  role: Role;
  /** The language of the mail if the invited person has chosen none. */
  locale: Locale;
}

/** A new invitation. */
interface Invitation {
  id: string;
  /** Returned only here; undefined if it was mailed, because opening it then proves the e-mail address. */
  link: string | undefined;
}

/**
 * Invites a person to a project with a link that works once, for seven days. If SMTP is configured, the link is mailed
 * and never shown to anyone else; for the operator, who is not limited, the mail server has accepted it (`mail_refused`
 * otherwise). Without SMTP the link is returned. A second invitation of an e-mail replaces the first.
 */
export const inviteMember = managerOrOperatorOperation({
  name: "members.invite",
  async run({ service, db, caller }, input: Invited): Promise<Invitation> {
    const { projectId, personId: actor } = caller;
    const { role } = input;
    const email = checkEmail(input.email);
    const id = newId("inv");
    const { text, hash } = newInvitation(projectId);
    const known = await findPerson(service.db, email);
    const mailed = service.mailer !== undefined;
    const about = await db.transaction(async (tx) => {
      const roles = await lockProject(tx, projectId);
      if (actor !== null) mayManage(roles.get(actor), role);
      if (known !== undefined && roles.has(known.id)) {
        throw new Refusal("conflict", "already_member", `${email} is already in this project.`);
      }
      if (actor !== null) await countInvitation(service, tx, { personId: actor, projectId, email });
      await makeRoom(tx, projectId, email);
      await tx.query(INSERT, [projectId, id, hash, email, role, actor ?? "operator", mailed]);
      // the audit log outlives accounts, so it records the invitation's id and no e-mail
      const data = { invitation_id: id, role };
      await record(service, tx, { action: "member.invited", projectId, ...(actor && { actor }), data });
      return await namesOf(tx, projectId, actor);
    });
    const link = `${service.config.authUrl}/invitation/${text}`;
    if (!mailed) return { id, link };
    // to the account's own spelling of the address: the mail proves it
    const to = { to: known?.email ?? email, locale: known?.locale ?? input.locale };
    const mail = invitationMail({ ...to, link, ...about });
    if (actor === null) await sendNow(service, mail);
    else sendBehind(service, mail);
    return { id, link: undefined };
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
