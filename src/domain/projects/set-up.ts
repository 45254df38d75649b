import { Refusal } from "../../core/refusal.ts";
import { hashOf, randomSecret } from "../../core/secret.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { checkPerson, insertPerson, type NewPerson } from "../accounts/people/create-person.ts";
import { startSession } from "../accounts/sessions/session.ts";
import { record } from "../operation/audit/record.ts";
import { anonymousOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import { addProject } from "./create-project.ts";
import { guessPlace } from "./guess-place.ts";

/**
 * A one-time link token for the first owner; undefined once there is a person. Earlier links end, except those of instances that
 * start at the same moment: whether a link works is decided when it is used.
 */
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

/** Refuses a set-up link that may not be used (any more). */
export const checkSetUp = anonymousOperation({
  name: "set_up.check_link",
  run: ({ db }, { link }: { link: string }): Promise<void> => checkLink(db, link),
});

async function checkLink(db: Queryable, link: string): Promise<void> {
  const [state] = await db.query<{ isOver: boolean; isOpen: boolean }>(
    `SELECT EXISTS (SELECT FROM person) AS "isOver", EXISTS (
       SELECT FROM setup_link WHERE hash = $1 AND used_at IS NULL AND expires_at > moment()) AS "isOpen"`,
    [hashOf(link)],
  );
  if (state?.isOver === true)
    throw new Refusal(
      "not_found",
      "setup_done",
      "This link no longer works, because the service has an account already. Sign in, or ask somebody with an account to invite you.",
    );
  if (state?.isOpen !== true)
    throw new Refusal(
      "not_found",
      "setup_over",
      "This link is not valid, is older than 24 hours, or a later start of the service printed a newer one. Use the newest link that was printed, or restart the service to get one.",
    );
}

interface FirstOwner extends Omit<NewPerson, "verified"> {
  link: string;
  /** The project's name. */
  project: string;
  /** The browser's Accept-Language, from which the project's location is guessed. */
  languages: string | undefined;
}

/**
 * Creates the first owner with a project and a session and uses up the link, in one transaction. It holds the table of people, so
 * that nobody else gets an account meanwhile: of several links, and of a link and a command, one creates the first account.
 */
export const setUp = anonymousOperation({
  name: "set_up.create_owner",
  async run(
    { service, db },
    { link, languages, ...owner }: FirstOwner,
  ): Promise<{ token: string; personId: string; projectId: string; verified: true }> {
    await checkLink(db, link);
    const fresh = await checkPerson({ ...owner, verified: true });
    const place = await guessPlace(db, languages);
    return await db.transaction(async (tx) => {
      await tx.query("LOCK TABLE person IN SHARE ROW EXCLUSIVE MODE");
      await checkLink(tx, link);
      await tx.query("UPDATE setup_link SET used_at = moment() WHERE hash = $1", [hashOf(link)]);
      const person = await insertPerson(tx, fresh);
      const projectId = await addProject(service, tx, { ...place, name: owner.project, ownerId: person.id });
      const { id: personId } = person;
      await record(service, tx, { action: "project.created", projectId, personId, actor: personId });
      return { token: await startSession(service, tx, personId), personId, projectId, verified: true };
    });
  },
});
