import type { Queryable } from "../../../db/pool/database.ts";
import type { Service } from "../service/service.ts";

/**
 * An entry: who (`actor`: the id of a person or client) did what to whom, without the data itself and without
 * secrets. `personId` is the account concerned (default: the actor's); that person and the owners of `projectId`
 * can read it. `once` names what happened if it has one entry however often it happens: see REPEATED.
 */
export interface AuditEntry {
  action: string;
  projectId?: string;
  personId?: string;
  actor?: string;
  data?: Record<string, unknown>;
  once?: string;
}

/** The end of an INSERT of entries with `once`: where the project has one already, its counter is raised instead. */
export const REPEATED = `ON CONFLICT (project_id, counted_as) WHERE counted_as IS NOT NULL DO UPDATE
  SET repeated = audit.repeated + excluded.repeated + 1, repeated_at = excluded.at, repeated_from = excluded.address`;

const INSERT = `INSERT INTO audit (action, project_id, person_id, actor, data, address, request_id, counted_as, repeated)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ${REPEATED}`;

/**
 * Writes an audit entry with the request's address and id. Inside a transaction it commits or rolls back with it.
 * `times` counts several of the same `once` at once.
 */
export async function record(
  { origin }: Service,
  db: Queryable,
  entry: AuditEntry,
  times = 1,
): Promise<void> {
  // Entries of no project are together, as those of a project are.
  const { action, projectId = "", actor = null, data = {}, once = null } = entry;
  const personId = entry.personId ?? (actor?.startsWith("per_") === true ? actor : null);
  const from = [origin?.address ?? null, origin?.requestId ?? null];
  await db.query(INSERT, [
    ...[action, projectId, personId, actor, JSON.stringify(data), ...from],
    ...[once, times - 1],
  ]);
}
