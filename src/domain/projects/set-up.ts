import { Refusal } from "../../core/refusal.ts";
import { hashOf, randomSecret } from "../../core/secret.ts";
import { createPerson, type NewPerson } from "../accounts/people/create-person.ts";
import { startSession } from "../accounts/sessions/session.ts";
import { record } from "../operation/audit/record.ts";
import { anonymousOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import { addProject } from "./create-project.ts";
import { guessPlace } from "./guess-place.ts";

const gone = (): Refusal =>
  new Refusal(
    "not_found",
    "setup_over",
    "This link has been used or has expired. Restart the service to get a new one.",
  );

/** A one-time link token for the first owner; undefined once there is a person. Earlier links end. */
export async function offerSetUp(service: Service): Promise<string | undefined> {
  const token = randomSecret();
  const made = await service.db.transaction(async (tx) => {
    await tx.query("DELETE FROM setup_link WHERE used_at IS NULL");
    return await tx.query(
      `INSERT INTO setup_link (hash, expires_at) SELECT $1, moment() + interval '24 hours'
       WHERE NOT EXISTS (SELECT FROM person) RETURNING hash`,
      [hashOf(token)],
    );
  });
  return made.length === 0 ? undefined : token;
}

/** Whether a set-up link may still be used. */
export const isSetUpOpen = anonymousOperation({
  name: "set_up.check_link",
  async run({ db }, { link }: { link: string }): Promise<boolean> {
    const rows = await db.query(
      "SELECT FROM setup_link WHERE hash = $1 AND used_at IS NULL AND expires_at > moment()",
      [hashOf(link)],
    );
    return rows.length > 0;
  },
});

interface FirstOwner extends Omit<NewPerson, "verified"> {
  link: string;
  /** The project's name. */
  project: string;
  /** The browser's Accept-Language, from which the project's location is guessed. */
  languages: string | undefined;
}

/** Creates the first owner with a project and a session and uses up the link, in one transaction. */
export const setUp = anonymousOperation({
  name: "set_up.create_owner",
  async run(
    { service, db },
    { link, languages, ...owner }: FirstOwner,
  ): Promise<{ token: string; personId: string; projectId: string; verified: true }> {
    const place = await guessPlace(db, languages);
    return await db.transaction(async (tx) => {
      const used = await tx.query(
        `UPDATE setup_link SET used_at = moment()
       WHERE hash = $1 AND used_at IS NULL AND expires_at > moment() RETURNING hash`,
        [hashOf(link)],
      );
      if (used.length === 0) throw gone();
      const person = await createPerson(tx, { ...owner, verified: true });
      const projectId = await addProject(tx, { ...place, name: owner.project, ownerId: person.id });
      const { id: personId } = person;
      await record(service, tx, { action: "project.created", projectId, personId, actor: personId });
      return { token: await startSession(service, tx, personId), personId, projectId, verified: true };
    });
  },
});
