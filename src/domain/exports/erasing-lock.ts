import type { Queryable, Transaction } from "../../db/pool/database.ts";

/** The key of the advisory lock that an erasure holds from its look at the exports until its commit. */
const ERASING = 7_237_004;

/**
 * Keeps files of exports from being begun until the commit. Exports that run are seen by the next statement; one that
 * begins later waits, so that its file is read without what is erased.
 */
export async function keepExportsWaiting(tx: Transaction, projectId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, $2))", [projectId, ERASING]);
}

/** Waits until no erasure that might have missed this export, which already runs, is about to commit. */
export async function waitForErasure(db: Queryable, projectId: string): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, $2))", [projectId, ERASING]);
}
