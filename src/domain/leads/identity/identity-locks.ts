import type { Transaction } from "../../../db/pool/database.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";

/** Keys of the advisory locks for finding or creating leads by identity, which are held until the commit. */
const PROJECT = 7_237_002;
const IDENTITY = 7_237_003;

/** Locks all identities of the project, for an import's batch or a bulk upsert: one lock for any number of leads. */
export async function lockAllIdentities(tx: Transaction, projectId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, $2))", [projectId, PROJECT]);
}

/** Locks these identities only; others can be locked concurrently. Sorted, to avoid deadlocks. */
export const identitiesLock = (projectId: string, identities: readonly string[]): Statement => ({
  text: LOCK,
  values: [projectId, PROJECT, IDENTITY, identities],
});

const LOCK = `SELECT pg_advisory_xact_lock_shared(hashtextextended($1, $2)), (SELECT count(pg_advisory_xact_lock(key)) FROM (
  SELECT DISTINCT hashtextextended($1 || ' ' || identity, $3) AS key FROM unnest($4::text[]) AS identity
  ORDER BY key OFFSET 0) AS sorted)`;

/** The last call of this process that has each identity. */
const last = new Map<string, Promise<void>>();

/**
 * Runs the work after all earlier calls of this process that have one of these identities. They would wait in
 * PostgreSQL with a connection each, until no other request got one.
 */
export async function inTurn<T>(
  projectId: string,
  identities: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const keys = identities.map((identity) => `${projectId} ${identity}`);
  const earlier = keys.map((key) => last.get(key));
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const key of keys) last.set(key, promise);
  try {
    await Promise.all(earlier);
    return await work();
  } finally {
    for (const key of keys) if (last.get(key) === promise) last.delete(key);
    resolve();
  }
}
