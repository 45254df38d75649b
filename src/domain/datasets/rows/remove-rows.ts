import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, made } from "../../changes/change.ts";
import { authorSql, changeSql } from "../../changes/record-change.ts";
import type { Parameters } from "../../sql/parameters.ts";

/** The key of a deleted row's creation time among its cells in a change; slots are `c1`, `c2`, … */
export const CREATED_AT = "_created_at";

/** Which rows to delete. */
interface Selection {
  parameters: Parameters;
  /** SQL for a condition on `r`. */
  where: string;
  /** How many rows are expected at most; if there are more, the caller must roll back. */
  most: number;
}

/**
 * Deletes rows of a locked dataset and records them in the change with all that brings them back under their ids:
 * cells, version and creation time. Returns the ids.
 */
export async function removeRows(
  tx: Transaction,
  change: Change,
  datasetId: string,
  { parameters, where, most }: Selection,
): Promise<string[]> {
  const [project, dataset] = [parameters.text(change.by.projectId), parameters.text(datasetId)];
  const ids = parameters.texts(Array.from({ length: most }, () => newId("evt")));
  const text = `WITH gone AS (
      DELETE FROM dataset_row r WHERE r.project_id = ${project} AND r.dataset_id = ${dataset} AND ${where}
      RETURNING r.id, r.cells, r.version, r.created_at
    ), kept AS MATERIALIZED (
      SELECT (${ids})[n] AS item, id, cells || jsonb_build_object('${CREATED_AT}', created_at) AS before, version
      FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM gone) AS numbered WHERE n <= ${most}
    ), ${authorSql(change, parameters)}, ${changeSql(change, parameters, {
      counts: "(SELECT jsonb_build_object('rows_deleted', count(*)) FROM gone HAVING count(*) > 0)",
      bytes: "(SELECT coalesce(sum(octet_length(before::text)), 0) FROM kept)",
    })}, added AS (
      INSERT INTO change_item (project_id, change_id, id, kind, record_id, dataset_id, before, version)
      SELECT ${project}, ${parameters.text(change.id)}, item, 'row', id, ${dataset}, before, version FROM kept
    ) SELECT id FROM gone`;
  const gone = await tx.query<{ id: string }>(text, parameters.values);
  if (gone.length > 0) made(change, { change_item: gone.length });
  return gone.map(({ id }) => id);
}
