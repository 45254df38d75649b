import type { Queryable } from "../../../db/pool/database.ts";
import type { Service } from "../service/service.ts";

/**
 * One entry: who (`actor`: a person's or a client's id) did what to whom; never the data itself, never a secret.
 * `personId` is whose account it concerns (the actor's own unless said otherwise): they read it, and so do the owners of `projectId`.
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

/** Writes an audit entry with the request's address and id; inside a transaction it is kept or lost with what it tells of. */
export async function record({ origin }: Service, db: Queryable, entry: AuditEntry): Promise<void> {
  const { action, projectId = null, actor = null, data = {} } = entry;
  const personId = entry.personId ?? (actor?.startsWith("per_") === true ? actor : null);
  const from = [origin?.address ?? null, origin?.requestId ?? null];
  await db.query(INSERT, [action, projectId, personId, actor, JSON.stringify(data), ...from]);
}
