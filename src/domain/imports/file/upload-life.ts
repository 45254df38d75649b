import type { ProjectDb, Queryable } from "../../../db/pool/database.ts";

const BEAT_MS = 5_000;

const BEAT =
  "UPDATE import SET alive_at = moment() WHERE project_id = $1 AND id = $2 AND state = 'uploading'";

/** Imports from before this sign of life have an hour. */
const DEAD = `DELETE FROM import WHERE project_id = $1 AND state = 'uploading'
  AND (alive_at < moment() - interval '1 minute' OR alive_at IS NULL AND created_at < moment() - interval '1 hour')`;

/** Gives signs of life of an upload, however slow, until the returned function is called. */
export function keepAlive(db: ProjectDb, projectId: string, id: string): () => void {
  // One that fails is followed by others, and the next piece of the file meets the same error.
  const timer = setInterval(() => void db.query(BEAT, [projectId, id]).catch(() => undefined), BEAT_MS);
  return () => clearInterval(timer);
}

/** Deletes uploads whose process is gone. One that goes on after all has no import to fill any more, and fails. */
export async function endDeadUploads(db: Pick<Queryable, "query">, projectId: string): Promise<void> {
  await db.query(DEAD, [projectId]);
}
