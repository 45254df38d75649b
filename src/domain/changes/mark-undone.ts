import type { Transaction } from "../../db/pool/database.ts";
import { PROJECT } from "../sql/parameters.ts";
import type { Change } from "./change.ts";

/** SQL for the ids of the changes that a change took back: the one of its `undoes`, or all that its items name. */
export const undoneIdsSql = (
  id: string,
  undoes: string,
): string => `SELECT ${undoes} AS id WHERE ${undoes} IS NOT NULL
  UNION SELECT own.record_id FROM change_item own
  WHERE own.project_id = ${PROJECT} AND own.change_id = ${id} AND own.kind = 'undone' AND ${undoes} IS NULL`;

/** SQL for the change of which an undo of change `c` kept item `k`. That of several changes names each of them, and its part. */
export const KEPT_OF_SQL = "coalesce(split_part(k.after ->> 'of', ' ', 1), c.id)";

/**
 * SQL for whether change `c` is undone. It is not while its undo can be continued: because its job did not get to its end, or
 * because something of the change is kept.
 */
export const UNDONE_SQL = `(c.undone_by IS NOT NULL AND NOT EXISTS (
  SELECT FROM change u LEFT JOIN job j ON j.project_id = ${PROJECT} AND j.id = u.job_id
  WHERE u.project_id = ${PROJECT} AND u.id = c.undone_by AND (j.state IN ('failed', 'cancelled') OR (
    coalesce(j.state, '') NOT IN ('waiting', 'running') AND u.counts ? 'kept' AND EXISTS (
      SELECT FROM change_item k WHERE k.project_id = ${PROJECT} AND k.change_id = u.id AND k.kind = 'kept'
        AND ${KEPT_OF_SQL} = c.id)))))`;

/**
 * What the change undid stands again; if that was an undo, what it had undone is undone again, and so on. `hops` is how far
 * the change is away from the first one.
 */
const MARK = `WITH RECURSIVE chain (id, undoes, mark, hops, follows) AS (
    SELECT id, undoes, $3::text COLLATE "C", 0, true FROM change WHERE project_id = $1 AND id = $2
    UNION ALL SELECT c.id, c.undoes, CASE WHEN hops % 2 = 1 THEN chain.id END, hops + 1,
      follows AND CASE WHEN hops % 2 = 0 THEN c.undone_by IS NOT DISTINCT FROM chain.id ELSE c.undone_by IS NULL END
    FROM chain CROSS JOIN LATERAL (${undoneIdsSql("chain.id", "chain.undoes")}) AS child
    JOIN change c ON c.project_id = $1 AND c.id = child.id
  ) UPDATE change SET undone_by = mark FROM chain WHERE change.project_id = $1 AND change.id = chain.id AND follows
  RETURNING CASE WHEN change.kind = 'import' AND hops > 0 THEN change.about ->> 'import_id' END AS import`;

/** The import's own record follows its change. */
const IMPORTS = `UPDATE import i SET state = CASE WHEN c.undone_by IS NULL THEN 'done' ELSE 'undone' END, undo = NULL,
    undo_change_id = c.undone_by
  FROM change c WHERE c.project_id = $1 AND c.id = i.change_id AND i.project_id = $1 AND i.id = ANY ($2)
    AND i.state = CASE WHEN c.undone_by IS NULL THEN 'undone' ELSE 'done' END`;

/** Marks a change as undone by another one, and what it undid as standing again. */
export async function markUndoneBy(
  tx: Pick<Transaction, "query">,
  projectId: string,
  { id, by }: { id: string; by: string },
): Promise<void> {
  const marked = await tx.query<{ import: string | null }>(MARK, [projectId, id, by]);
  const imports = marked.flatMap((each) => each.import ?? []);
  if (imports.length > 0) await tx.query(IMPORTS, [projectId, imports]);
}

const AGAIN =
  "UPDATE change SET undone_by = NULL WHERE project_id = $1 AND id = $2 AND undone_by IS NOT NULL";

/** For the last part of a change of several transactions: what somebody undid of it meanwhile was done again. */
export async function standsAgain(tx: Pick<Transaction, "query">, { by, id }: Change): Promise<void> {
  await tx.query(AGAIN, [by.projectId, id]);
}
