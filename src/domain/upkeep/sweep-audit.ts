import type { Service } from "../operation/service/service.ts";

const BATCH = 1_000;

// By id, which is in the order of time up to the length of a transaction: an index by time would cost every entry.
// `last` lets the next batch start behind what was deleted, which the index still holds for a while.
const OLDEST = `WITH oldest AS (
    SELECT id FROM audit WHERE id > $2 ORDER BY id LIMIT ${BATCH}
  ), gone AS (
    DELETE FROM audit WHERE id IN (SELECT id FROM oldest) AND at < moment() - make_interval(days => $1) RETURNING id
  ) SELECT count(*)::int AS gone, max(id) AS last FROM gone`;

/** Deletes entries of the audit log that are older than AUDIT_DAYS, in batches; keeps all of them without it. */
export async function sweepAudit({ db, config: { auditDays } }: Service): Promise<void> {
  if (auditDays === undefined) return;
  let after = 0;
  while (true) {
    const [batch] = await db.visitAll<{ gone: number; last: number | null }>(OLDEST, [auditDays, after]);
    if (batch?.last == null || batch.gone < BATCH) return;
    after = batch.last;
  }
}
