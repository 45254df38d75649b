import type { ProjectDb, Transaction } from "../../../db/pool/database.ts";
import type { Row, Statement } from "../../../db/wire/statement-batch.ts";
import { againIfTaken } from "./external-id.ts";
import type { Holders } from "./holders.ts";
import type { Identifier } from "./identifiers.ts";
import { lookFor } from "./look-for.ts";

/** Keys of the advisory locks for finding or creating leads by identity, which are held until the commit. */
const PROJECT = 7_237_002;
const IDENTITY = 7_237_003;

/** Locks all identities of the project, for an import's batch or a bulk upsert: one lock for any number of leads. */
export async function lockAllIdentities(tx: Transaction, projectId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, $2))", [projectId, PROJECT]);
}

/** Locks these identifiers only; others can be locked concurrently. Sorted, to avoid deadlocks. */
export const identitiesLock = (projectId: string, identifiers: readonly Identifier[]): Statement => ({
  text: LOCK,
  values: [projectId, PROJECT, IDENTITY, identifiers.map(({ key }) => key)],
});

/**
 * Runs the work under the locks of a record's identifiers, with those who have them; of calls about one person, one at a time. `ahead` is sent with
 * the locks. `first` is tried before, without them; if it returns undefined, nothing was done.
 */
export async function underLocks<T>(
  db: ProjectDb,
  projectId: string,
  {
    identifiers,
    country,
    key,
  }: { identifiers: readonly Identifier[]; country: string | null; key?: string | undefined },
  work: (tx: Transaction, known: Holders) => Promise<T>,
  { ahead = [], first }: { ahead?: readonly Statement[]; first?: () => Promise<T | undefined> } = {},
): Promise<T> {
  const look = lookFor(projectId, identifiers, country, { key });
  const locked = async (tx: Transaction, [, found = []]: Row[][]) =>
    await work(tx, await look.read(tx, found));
  return await inTurn(projectId, identifiers, () =>
    againIfTaken(
      async () =>
        (await first?.()) ??
        (await db.transaction(locked, undefined, [
          identitiesLock(projectId, identifiers),
          look.statement,
          ...ahead,
        ])),
    ),
  );
}

const LOCK = `SELECT pg_advisory_xact_lock_shared(hashtextextended($1, $2)), (SELECT count(pg_advisory_xact_lock(key)) FROM (
  SELECT DISTINCT hashtextextended($1 || ' ' || identity, $3) AS key FROM unnest($4::text[]) AS identity
  ORDER BY key OFFSET 0) AS sorted)`;

/** The last call of this process that has each identity. */
const last = new Map<string, Promise<void>>();

/**
 * Runs the work after all earlier calls of this process that have one of these identities. They would wait in
 * PostgreSQL with a connection each, until no other request got one.
 */
async function inTurn<T>(
  projectId: string,
  identifiers: readonly Identifier[],
  work: () => Promise<T>,
): Promise<T> {
  const keys = identifiers.map(({ key }) => `${projectId} ${key}`);
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
