import { isId } from "../../core/id.ts";
import type { Permission } from "../../core/permission.ts";
import { notFound } from "../../core/refusal.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { type MemberContext, refuse } from "../operation/operation.ts";
import { doorOf } from "../tenancy/credential.ts";

/** What operations on an import of any kind need to be let in; what the import itself needs is asked of it. */
export const IMPORTS = { needs: "leads:write", orNeeds: "datasets:import" } as const;

/** What an import needs of whoever looks at it or acts on it. */
export const needsOf = (dataset: string | null): Permission =>
  dataset === null ? IMPORTS.needs : IMPORTS.orNeeds;

const WHAT = `SELECT dataset_id AS dataset FROM import WHERE project_id = $1 AND id = $2 AND state <> 'uploading'`;

/** Refuses (404) what cannot be the id of an import; those that exist nowhere need no further look. */
export async function knownForm({ db }: Pick<MemberContext, "db">, id: string): Promise<void> {
  if (!isId("imp", id)) await refuse(db, notFound("import"));
}

/** An import that was found, and the door to it. */
export interface FoundImport {
  db: ProjectDb;
  dataset: string | null;
}

/**
 * The door behind which an import is worked on: that of leads, or of imports into datasets. 404 where the project has
 * none with this id. One round trip; the door itself checks with the first statement behind it.
 */
export async function importDoor(context: MemberContext, id: string): Promise<FoundImport> {
  await knownForm(context, id);
  const { service, db, caller } = context;
  const [found] = await db.query<{ dataset: string | null }>(WHAT, [caller.projectId, id], { prepare: true });
  if (found === undefined) throw notFound("import");
  return { db: service.db.behind(doorOf(caller, needsOf(found.dataset))), dataset: found.dataset };
}
