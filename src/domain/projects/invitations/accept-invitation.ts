import type { Role } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { serviceDoor } from "../../../db/pool/project-door.ts";
import { createPerson } from "../../accounts/people/create-person.ts";
import { startSession } from "../../accounts/sessions/session.ts";
import { record } from "../../operation/audit/record.ts";
import { anonymousOperation, personOperation } from "../../operation/callers.ts";
import type { Service } from "../../operation/service/service.ts";
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
    await usingUp(service, link, async () => caller.person.id),
});

/** Creates an account with the invited e-mail, adds it to the project and signs it in. */
export const joinAsNewPerson = anonymousOperation({
  name: "invitations.join",
  async run(
    context,
    { link, name, password }: { link: string; name: string; password: string },
  ): Promise<{ projectId: string; personId: string; token: string }> {
    const { service } = context;
    const { email } = await openInvitation.run(context, { link });
    let token = "";
    const joined = await usingUp(service, link, async (tx) => {
      const person = await createPerson(tx, { email, name, password, verified: true });
      token = await startSession(service, tx, person.id);
      return person.id;
    });
    return { ...joined, token };
  },
});

/** Uses up the invitation for the person from `whose`; of two concurrent calls one succeeds. */
async function usingUp(
  service: Service,
  text: string,
  whose: (tx: Transaction) => Promise<string>,
): Promise<{ projectId: string; personId: string }> {
  const address = readInvitation(text);
  if (address === undefined) throw invitationOver();
  const { projectId, hash } = address;
  return await service.db.behind(serviceDoor(projectId)).transaction(async (tx) => {
    const personId = await whose(tx);
    const roles = await lockProject(tx, projectId).catch((error: unknown) => {
      throw error instanceof Refusal ? invitationOver() : error;
    });
    const [used] = await tx.query<{ id: string; role: Role }>(
      "DELETE FROM invitation WHERE project_id = $1 AND hash = $2 AND expires_at > moment() RETURNING id, role",
      [projectId, hash],
    );
    if (used === undefined) throw invitationOver();
    if (roles.has(personId)) {
      throw new Refusal(
        "conflict",
        "already_in",
        "You are already in this project. The invitation stays open for the person it was meant for.",
      );
    }
    const found = await tx.query("SELECT FROM person WHERE id = $1 FOR KEY SHARE", [personId]);
    if (found.length === 0) throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
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
