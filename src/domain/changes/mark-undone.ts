import type { Transaction } from "../../db/pool/database.ts";
import type { Change } from "./change.ts";

/**
 * SQL for whether what change `c` did still counts as somebody's decision: it was not undone, and is no undo, which puts
 * back what was before.
 */
export const STANDS_SQL = "(c.kind IS DISTINCT FROM 'undo' AND c.undone_by IS NULL)";

/**
 * What the change undid stands again; if that was an undo, what it had undone is undone again, and so on. `hops` is how far
 * the change is away from the first one.
 */
const MARK = `WITH RECURSIVE chain (id, undoes, mark, hops, follows) AS (
    SELECT id, undoes, $3::text COLLATE "C", 0, true FROM change WHERE project_id = $1 AND id = $2
    UNION ALL SELECT c.id, c.undoes, CASE WHEN hops % 2 = 1 THEN chain.id END, hops + 1,
      follows AND CASE WHEN hops % 2 = 0 THEN c.undone_by IS NOT DISTINCT FROM chain.id ELSE c.undone_by IS NULL END
    FROM chain JOIN change c ON c.project_id = $1 AND c.id = chain.undoes
  ), marked AS (
    UPDATE change SET undone_by = mark FROM chain WHERE change.project_id = $1 AND change.id = chain.id AND follows
  ) SELECT max(hops) AS hops FROM chain`;

/** Marks a change as undone by another one; returns what that means for the change that was the first of all these. */
export async function markUndoneBy(
  tx: Pick<Transaction, "query">,
  projectId: string,
  { id, by }: { id: string; by: string },
): Promise<"undone" | "made again"> {
  const [row] = await tx.query<{ hops: number }>(MARK, [projectId, id, by]);
  return (row?.hops ?? 0) % 2 === 0 ? "undone" : "made again";
}

const AGAIN =
  "UPDATE change SET undone_by = NULL WHERE project_id = $1 AND id = $2 AND undone_by IS NOT NULL";

/** For the last part of a change of several transactions: what somebody undid of it meanwhile was done again. */
export async function standsAgain(tx: Pick<Transaction, "query">, { by, id }: Change): Promise<void> {
  await tx.query(AGAIN, [by.projectId, id]);
}
