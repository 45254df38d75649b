import type { Transaction } from "../../db/pool/database.ts";

/** SQL for the index that the project `$1` asked for, of a custom field from a row called `f`. */
const requested = (column: string): string => `SELECT ${column} FROM field_index i WHERE i.project_id = $1
  AND i.field = 'custom.' || f.key AND i.requested AND i.dropped_at IS NULL`;

/** SQL for whether the project asked for an index of the custom field in a row called `f`. */
export const IS_INDEXED = `EXISTS (${requested("")})`;

/** SQL for when that index was built. */
export const INDEX_BUILT_AT = `(${requested("i.built_at")})`;

const REQUEST = `INSERT INTO field_index (project_id, field, kind, form, requested) VALUES ($1, 'custom.' || $2, 'order', 'number', true)
  ON CONFLICT (project_id, field, kind) WHERE dropped_at IS NULL DO UPDATE SET requested = true`;

const DROP_REQUESTED = `UPDATE field_index SET dropped_at = moment()
  WHERE project_id = $1 AND field = 'custom.' || $2 AND requested AND dropped_at IS NULL`;

const DROP = `UPDATE field_index SET dropped_at = moment()
  WHERE project_id = $1 AND field = 'custom.' || $2 AND dropped_at IS NULL`;

/** Asks for the index of a custom field of numbers, or drops it. The field's row must be locked. */
export async function requestIndex(
  tx: Pick<Transaction, "query">,
  projectId: string,
  key: string,
  indexed: boolean,
): Promise<void> {
  await tx.query(indexed ? REQUEST : DROP_REQUESTED, [projectId, key]);
}

/** Drops all indexes of a custom field, whose row must be locked: it is deleted, or its values are compared otherwise. */
export async function dropIndexesOf(
  tx: Pick<Transaction, "query">,
  projectId: string,
  key: string,
): Promise<void> {
  await tx.query(DROP, [projectId, key]);
}
