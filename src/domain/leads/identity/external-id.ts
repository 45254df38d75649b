import { Refusal } from "../../../core/refusal.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import { sqlstateOf, violatedBy } from "../../../db/statements/violated.ts";
import { NOT_DELETED } from "../../sql/not-deleted.ts";

/** An external id belongs to one lead of a project that is neither deleted nor merged. */
const INDEX = "lead_external_id";

/** The end of an INSERT that leaves out leads whose external id another lead has. */
export const UNLESS_TAKEN = `ON CONFLICT (project_id, external_id)
  WHERE external_id IS NOT NULL AND ${NOT_DELETED} DO NOTHING`;

const ATTEMPTS = 5;

/** Whether a write failed because another lead got the external id after this writer had looked for it. */
export const isTaken = (error: unknown): boolean => violatedBy(error) === INDEX;

/** A value was taken between the look at it and the write. */
export class Raced extends Error {}

/** Whether a write lost a race: for an external id, or as one of two that waited for each other. Nothing of it is stored. */
const isRaced = (error: unknown): boolean =>
  error instanceof Raced || isTaken(error) || sqlstateOf(error) === "40P01";

/** Repeats a statement or transaction that lost a race. The next attempt sees what the other writer wrote. */
export async function againIfRaced<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRaced(error)) throw error;
    }
  }
}

/** The same for a caller, who gets a refusal (409) if other leads get the external id again and again. */
export async function againIfTaken<T>(work: () => Promise<T>): Promise<T> {
  return await againIfRaced(work).catch((error: unknown) => {
    throw isTaken(error) ? externalIdTaken(null) : error;
  });
}

/** The refusal for an external id that another lead has; the details contain that lead's id. */
export function externalIdTaken(holder: string | null, path = "$.external_id"): Refusal {
  if (holder === null)
    return new Refusal("conflict", "external_id_taken", "Another lead has this external_id.");
  const message = `The lead ${holder} has this external_id. Change that lead, or use another external_id.`;
  return new Refusal("conflict", "external_id_taken", message, {
    faults: [{ path, code: "external_id_taken", message: holder }],
  });
}

/** Returns the leads that have these external ids, by external id. */
export async function holdersOf(
  db: Pick<Queryable, "query">,
  projectId: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (externalIds.length === 0) return new Map();
  const found = await db.query<{ external_id: string; id: string }>(
    `SELECT external_id, id FROM lead WHERE project_id = $1 AND external_id = ANY ($2::text[]) AND ${NOT_DELETED}`,
    [projectId, externalIds],
  );
  return new Map(found.map(({ external_id: external, id }) => [external, id]));
}
