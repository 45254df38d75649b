import { isId } from "../../core/id.ts";
import type { Permission } from "../../core/permission.ts";
import { notFound } from "../../core/refusal.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { type MemberContext, refuse } from "../operation/operation.ts";
import { type Credential, doorOf } from "../tenancy/credential.ts";
import { erasedFile, expired } from "./import-record.ts";

/** The permissions for operations on any kind of import; the import then decides which one is needed. */
export const IMPORTS = { needs: "leads:write", orNeeds: "datasets:import" } as const;

/** The permission to read what is in an import's file. */
export const readingOf = (dataset: string | null): Permission =>
  dataset === null ? "leads:read" : "datasets:read";

/** The permission that an import requires, to see it or to act on it. */
export const needsOf = (dataset: string | null): Permission =>
  dataset === null ? IMPORTS.needs : IMPORTS.orNeeds;

const WHAT = `SELECT dataset_id AS dataset, expires_at <= moment() AS over, erased_at IS NOT NULL AS erased,
    actor ->> 'type' = 'key' AND actor ->> 'id' = $3 AS own FROM import
  WHERE project_id = $1 AND id = $2 AND state <> 'uploading'`;

/** Refuses (404) strings that cannot be the id of an import, before any lookup. */
export async function knownForm({ db }: Pick<MemberContext, "db">, id: string): Promise<void> {
  if (!isId("imp", id)) await refuse(db, notFound("import"));
}

/** An import and the door to it. */
export interface FoundImport {
  db: ProjectDb;
  dataset: string | null;
  /** Whether what it kept for thirty days is gone. */
  over: boolean;
  /** Whether its file and failed rows were removed with an erased person. */
  erased: boolean;
  /** Whether the caller is the key that uploaded it. */
  own: boolean;
}

/**
 * What is asked of an import: its record, its rows, a file of rows that leads were made from, or what the key that
 * uploaded it may do although it may not read others: see the rows that failed, and say how the file is read.
 */
type Asked = "record" | "rows" | "own" | "file";

/**
 * Returns the door for an import: that of leads, or of imports into datasets. Refuses (404) an unknown import. The
 * door itself is checked with the first statement behind it.
 */
export async function importDoor(
  context: MemberContext,
  id: string,
  asked: Asked = "record",
): Promise<FoundImport> {
  await knownForm(context, id);
  const { service, db, caller, purpose } = context;
  const [found] = await db.query<Omit<FoundImport, "db">>(WHAT, [caller.projectId, id, idOf(caller)], {
    prepare: true,
  });
  if (found === undefined) throw notFound("import");
  const { dataset, own } = found;
  const isOpen = asked === "record" || (asked === "own" && own);
  const exports = asked === "file" && dataset === null;
  const needs = { any: [needsOf(dataset)], all: isOpen ? [] : [readingOf(dataset)], exports };
  return { db: service.db.behind(doorOf(caller, needs), purpose), ...found };
}

const idOf = (caller: Credential): string => (caller.kind === "key" ? caller.id : "");

/** Like `importDoor`, but refuses (410) an import that no longer has what it kept for thirty days. */
export async function unexpiredDoor(context: MemberContext, id: string, asked: Asked): Promise<FoundImport> {
  const found = await importDoor(context, id, asked);
  if (found.over) await refuse(found.db, expired());
  return found;
}

/** Like `unexpiredDoor`, but also refuses (410) an import whose failed rows were removed with an erased person. */
export async function failuresDoor(context: MemberContext, id: string, asked: Asked): Promise<FoundImport> {
  const found = await unexpiredDoor(context, id, asked);
  if (found.erased) await refuse(found.db, erasedFile());
  return found;
}
