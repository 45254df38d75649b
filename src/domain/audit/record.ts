import type { Queryable } from "../../db/database.ts";

/** One entry: who (`actor`, an id or an address) did what to whom; never the data itself, never a secret. */
export interface AuditEntry {
  action: string;
  projectId?: string;
  personId?: string;
  actor?: string;
  data?: Record<string, unknown>;
}

const INSERT = "INSERT INTO audit (action, project_id, person_id, actor, data) VALUES ($1, $2, $3, $4, $5)";

/** Writes an audit entry; inside a transaction it is kept or lost with what it tells of. */
export async function record(db: Queryable, entry: AuditEntry): Promise<void> {
  const { action, projectId = null, personId = null, actor = null, data = {} } = entry;
  await db.query(INSERT, [action, projectId, personId, actor, JSON.stringify(data)]);
}
