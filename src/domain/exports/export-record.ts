/** An export as its project sees it, as columns of `job`; the request's filter and columns are under `query`. */
const SHOWN = `id, state, coalesce(input ->> 'format', 'csv') AS format, input - 'format' AS query, actor, done, total,
  (result -> 'bytes')::bigint AS bytes, error, created_at, started_at, finished_at, expires_at`;

/** A statement that returns exports from rows of `job`, one JSON text per row. */
export const exportRecords = (rows: string): string =>
  `SELECT id, row_to_json(shown)::text AS json FROM (SELECT ${SHOWN} FROM (${rows}) AS job) AS shown`;

export interface ExportRow {
  id: string;
  json: string;
}

/** One export, by project `$1` and id `$2`. */
export const ONE_EXPORT = exportRecords(
  "SELECT * FROM job WHERE project_id = $1 AND id = $2 AND kind = 'export'",
);
