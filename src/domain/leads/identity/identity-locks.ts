import type { Transaction } from "../../../db/pool/database.ts";

/** Everyone who looks for a lead and makes it where it is missing takes turns by these, until their commit. */
const PROJECT = 7_237_002;
const IDENTITY = 7_237_003;

/** Alone with all identities of the project: an import's batch, a bulk upsert. One lock, however many leads. */
export async function lockAllIdentities(tx: Transaction, projectId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, $2))", [projectId, PROJECT]);
}

/** Alone with these identities, beside others with theirs; sorted, so that nobody waits in a circle. */
export async function lockIdentities(
  tx: Transaction,
  projectId: string,
  identities: readonly string[],
): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock_shared(hashtextextended($1, $2)), (SELECT count(pg_advisory_xact_lock(key)) FROM (
       SELECT DISTINCT hashtextextended($1 || ' ' || identity, $3) AS key FROM unnest($4::text[]) AS identity
       ORDER BY key OFFSET 0) AS sorted)`,
    [projectId, PROJECT, IDENTITY, identities],
  );
}
