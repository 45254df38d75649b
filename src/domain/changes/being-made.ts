import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { PROJECT } from "../sql/parameters.ts";
import { undoneIdsSql } from "./mark-undone.ts";

/** SQL for whether the job that makes change `c` has not ended. */
export const RUNNING_SQL = `(c.job_id IS NOT NULL AND EXISTS (SELECT FROM job j
  WHERE j.project_id = ${PROJECT} AND j.id = c.job_id AND j.state IN ('waiting', 'running')))`;

/** The changes that a job makes again, or takes back again: those which its change undoes, directly or not. */
const REMADE = `WITH RECURSIVE chain (id, undoes) AS (
    SELECT u.id, u.undoes FROM job j JOIN change u ON u.project_id = ${PROJECT} AND u.id = j.change_id
    WHERE j.project_id = ${PROJECT} AND j.kind = 'undo' AND j.state IN ('waiting', 'running')
    UNION SELECT x.id, x.undoes FROM chain CROSS JOIN LATERAL (${undoneIdsSql("chain.id", "chain.undoes")}) AS child
    JOIN change x ON x.project_id = ${PROJECT} AND x.id = child.id
  ) SELECT id FROM chain`;

/** SQL for whether a job makes change `c`, or makes it again after it was undone. */
export const BEING_MADE_SQL = `(${RUNNING_SQL} OR c.id IN (${REMADE}))`;

const BEING_MADE = `SELECT ${BEING_MADE_SQL} AS made FROM change c WHERE c.project_id = $1 AND c.id = $2`;

/** Refuses (409) to undo a change while a job makes it, or makes it again. Call it under a lock of the change. */
export async function mustBeComplete(
  tx: Pick<Transaction, "query">,
  projectId: string,
  id: string,
): Promise<void> {
  const [row] = await tx.query<{ made: boolean }>(BEING_MADE, [projectId, id]);
  if (row?.made === true) throw stillRunning();
}

/** The refusal (409) to undo a change while a job makes it, or makes it again. */
export const stillRunning = (): Refusal =>
  new Refusal(
    "conflict",
    "still_running",
    "A job is still making this change, or making it again. Cancel the job first, or wait.",
  );
