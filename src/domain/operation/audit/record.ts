import type { Queryable } from "../../../db/pool/database.ts";
import type { Service } from "../service/service.ts";

/**
 * An entry: who (`actor`: the id of a person or client) did what to whom, without the data itself and without
 * secrets. `personId` is the account concerned (default: the actor's); that person and the owners of `projectId`
 * can read it.
 */
export interface AuditEntry {
  action: string;
  projectId?: string;
  personId?: string;
  actor?: string;
  data?: Record<string, unknown>;
}

const INSERT = `INSERT INTO audit (action, project_id, person_id, actor, data, address, request_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Writes an audit entry with the request's address and id. Inside a transaction it commits or rolls back with it. */
export async function record({ origin }: Service, db: Queryable, entry: AuditEntry): Promise<void> {
  const { action, projectId = null, actor = null, data = {} } = entry;
  const personId = entry.personId ?? (actor?.startsWith("per_") === true ? actor : null);
  const from = [origin?.address ?? null, origin?.requestId ?? null];
  await db.query(INSERT, [action, projectId, personId, actor, JSON.stringify(data), ...from]);
}
