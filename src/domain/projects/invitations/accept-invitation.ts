import type { Role } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { serviceDoor } from "../../../db/pool/project-door.ts";
import {
  type CheckedPerson,
  checkName,
  checkPerson,
  findPerson,
  insertPerson,
} from "../../accounts/people/create-person.ts";
import { hashPassword } from "../../accounts/people/password.ts";
import { startSession } from "../../accounts/sessions/session.ts";
import { record } from "../../operation/audit/record.ts";
import { anonymousOperation, personOperation } from "../../operation/callers.ts";
import { tellOfClaim } from "../../operation/mail/claim-mail.ts";
import type { Service } from "../../operation/service/service.ts";
import { claimAccount } from "../members/claim-account.ts";
import { lockProject } from "../members/lock-project.ts";
import { readInvitation } from "./invitation-text.ts";
import { invitationOver, openInvitation } from "./open-invitation.ts";

/**
 * Adds a signed-in person to the project. The link works for any account: people are invited at one address and may
 * work under another, so the page names both.
 */
export const acceptInvitation = personOperation({
  name: "invitations.accept",
  run: async ({ service, caller }, { link }: { link: string }): Promise<{ projectId: string }> =>
    await usingUp(service, { text: link }, async (tx) => await lockedId(tx, caller.person.id)),
});

/** The refusal for creating an account where one exists. With a link that was shown, it is all that reveals it. */
const accountExists = (): Refusal =>
  new Refusal(
    "conflict",
    "account_exists",
    "An account with this e-mail already exists. Sign in to accept the invitation; if you do not know its password, ask for a link to set a new one.",
  );

/**
 * Creates an account with the invited e-mail, adds it to the project and signs it in. A link that was only mailed
 * proves the e-mail: the account is verified, and an unverified one is claimed. An account that is made with a link
 * that was shown is unverified.
 */
export const joinAsNewPerson = anonymousOperation({
  name: "invitations.join",
  async run(
    context,
    { link, name, password }: { link: string; name: string; password: string },
  ): Promise<{ projectId: string; personId: string; token: string; verified: boolean }> {
    const { service, db } = context;
    const { projectId, email, mailed } = await openInvitation.run(context, { link });
    const known = mailed ? await findPerson(db, email) : undefined;
    const claim =
      known?.verified === false
        ? {
            personId: known.id,
            name: checkName(name),
            passwordHash: await hashPassword(password, { email, name }),
          }
        : undefined;
    const person = claim ?? (await checkPerson({ email, name, password, verified: mailed }));
    let token = "";
    const joined = await usingUp(service, { text: link, mayBeIn: claim !== undefined }, async (tx) => {
      const personId =
        "personId" in person
          ? await claimedId(service, tx, person, projectId)
          : await newPersonId(tx, person);
      token = await startSession(service, tx, personId);
      return personId;
    });
    if (known !== undefined && claim !== undefined)
      tellOfClaim(service, { to: known.email, locale: known.locale });
    return { ...joined, token, verified: mailed };
  },
});

async function lockedId(tx: Transaction, personId: string): Promise<string> {
  const locked = await tx.query("SELECT FROM person WHERE id = $1 FOR NO KEY UPDATE", [personId]);
  if (locked.length === 0) throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
  return personId;
}

async function newPersonId(tx: Transaction, fresh: CheckedPerson): Promise<string> {
  const person = await insertPerson(tx, fresh).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === "email_taken" ? accountExists() : error;
  });
  return person.id;
}

async function claimedId(
  service: Service,
  tx: Transaction,
  claim: Parameters<typeof claimAccount>[2],
  projectId: string,
): Promise<string> {
  if (!(await claimAccount(service, tx, claim))) throw accountExists();
  await tx.query("SELECT set_config('leadgate.project', $1, true)", [projectId]);
  return claim.personId;
}

/**
 * Uses up the invitation for the person from `whose`, whose row is then locked; of two concurrent calls one succeeds. With
 * `mayBeIn`, a person who is already in the project keeps their role. The project comes first, then the person, as where an account
 * is deleted: on a cluster, whoever writes or locks one person keeps others from locking any.
 */
async function usingUp(
  service: Service,
  { text, mayBeIn = false }: { text: string; mayBeIn?: boolean },
  whose: (tx: Transaction) => Promise<string>,
): Promise<{ projectId: string; personId: string }> {
  const address = readInvitation(text);
  if (address === undefined) throw invitationOver();
  const { projectId, hash } = address;
  return await service.db.behind(serviceDoor(projectId)).transaction(async (tx) => {
    const roles = await lockProject(tx, projectId).catch((error: unknown) => {
      throw error instanceof Refusal ? invitationOver() : error;
    });
    const [used] = await tx.query<{ id: string; role: Role }>(
      "DELETE FROM invitation WHERE project_id = $1 AND hash = $2 AND expires_at > moment() RETURNING id, role",
      [projectId, hash],
    );
    if (used === undefined) throw invitationOver();
    const personId = await whose(tx);
    if (roles.has(personId) && mayBeIn) return { projectId, personId };
    if (roles.has(personId)) {
      throw new Refusal(
        "conflict",
        "already_in",
        "You are already in this project. The invitation stays open for the person it was meant for.",
      );
    }
    await tx.query("INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, $3)", [
      personId,
      projectId,
      used.role,
    ]);
    const data = { invitation_id: used.id, role: used.role };
    await record(service, tx, { action: "member.joined", projectId, personId, actor: personId, data });
    return { projectId, personId };
  });
}
