import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation } from "../operation/callers.ts";
import type { Sealing, Service } from "../operation/service/service.ts";
import { sealedKey } from "../suppression/hashes.ts";
import { ownedProject } from "../tenancy/list-projects.ts";
import { checkSettings, NOWHERE, type ProjectSettings } from "../tenancy/project-settings.ts";
import { guessPlace } from "./guess-place.ts";

/** A project to create: its name, and any other settings that are known. */
export type NewProject = Partial<ProjectSettings> & { name: string };

/** A new project as submitted in a form. */
interface AskedProject {
  name: string;
  /** The browser's Accept-Language: time zone, country and currency are guessed from it. */
  languages: string | undefined;
}

/** Creates a project that the person owns; refuses settings as checkSettings does. */
export const createProject = personOperation({
  name: "projects.create",
  async run({ service, db, caller }, { name, languages }: AskedProject): Promise<{ id: string }> {
    const place = await guessPlace(db, languages);
    return await createProjectFor(service, caller.person.id, { ...place, name });
  },
});

/** Creates a project for its owner; for the command line, where nobody is signed in. */
export async function createProjectFor(
  service: Service,
  personId: string,
  fresh: NewProject,
): Promise<{ id: string }> {
  return await service.db.transaction(async (tx) => {
    // a concurrent deletion of the account waits, and then sees the new project
    const owner = await tx.query("SELECT FROM person WHERE id = $1 FOR NO KEY UPDATE", [personId]);
    if (owner.length === 0) throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
    const id = await addProject(service, tx, { ...fresh, ownerId: personId });
    await record(service, tx, { action: "project.created", projectId: id, personId, actor: personId });
    return { id };
  });
}

/** Creates a project and its owner's membership inside a transaction; returns its id. */
export async function addProject(
  { config: { secretKeys } }: Sealing,
  tx: Transaction,
  { ownerId, ...fresh }: NewProject & { ownerId: string },
): Promise<string> {
  const { name, timezone, country, currency } = await checkSettings(tx, { ...NOWHERE, ...fresh });
  const id = newId("prj");
  await tx.query("SELECT set_config('leadgate.project', $1, true)", [id]);
  await tx.query(
    `INSERT INTO project (project_id, name, slug, timezone, default_country, currency, suppression_key)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, name, slugOf(name), timezone, country, currency, sealedKey({ projectId: id, secretKeys })],
  );
  await tx.query("INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, 'owner')", [
    ownerId,
    id,
  ]);
  return id;
}

function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "project"
  );
}

/**
 * Returns the id of the person's own project of this name, creating it if necessary, so that a form sent twice
 * makes one project. Refuses names as createProject does.
 */
export const ensureProject = personOperation({
  name: "projects.ensure",
  async run({ service, db, caller }, { name, languages }: AskedProject): Promise<string> {
    const personId = caller.person.id;
    const place = await guessPlace(db, languages);
    return await db.transaction(async (tx) => {
      // the second of two concurrent forms waits here, and then sees the first one's project
      const owner = await tx.query("SELECT FROM person WHERE id = $1 FOR NO KEY UPDATE", [personId]);
      if (owner.length === 0) throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
      const known = await ownedProject(tx, { personId, name: name.trim() });
      if (known !== undefined) return known;
      const id = await addProject(service, tx, { ...place, name, ownerId: personId });
      await record(service, tx, { action: "project.created", projectId: id, personId, actor: personId });
      return id;
    });
  },
});
