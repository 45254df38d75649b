import { anyLinkSql, linkSql } from "../fields/link.ts";
import { type AskedDataset, rowColumns } from "../fields/row-field.ts";
import type { StatementScope } from "./sql/statement-scope.ts";

/** The rows of a dataset that a lead shows. */
const MOST_ROWS = 20;

/**
 * One more column of `lead`, with a comma behind it: the newest rows of these datasets that mean it. It comes first, so
 * that the last `"version"` in a record is the lead's own, whatever columns datasets have.
 */
export function includeSql(datasets: readonly AskedDataset[], scope: StatementScope): string {
  if (datasets.length === 0) return "";
  const each = datasets.map((dataset) => `(${rowsSql(dataset, scope)}) AS "${dataset.key}"`);
  return `(SELECT row_to_json(d) FROM (SELECT ${each.join(", ")}) AS d) AS datasets, `;
}

/** Keys of datasets and columns are plain words, checked when they were given. */
function rowsSql(dataset: AskedDataset, scope: StatementScope): string {
  const link = dataset.lead_link;
  if (link === null) return "NULL::json";
  return `SELECT json_build_object('rows', coalesce(json_agg(shown) FILTER (WHERE place <= ${MOST_ROWS}), '[]'),
      'has_more', count(*) > ${MOST_ROWS})
    FROM (SELECT row_to_json(found) AS shown, row_number() OVER () AS place FROM (
      SELECT ${rowColumns(dataset)} FROM dataset_row r
      WHERE r.project_id = ${scope.project} AND r.dataset_id = ${scope.parameters.text(dataset.id)}
        AND ${(dataset.merged === true ? anyLinkSql : linkSql)(link, "lead")}
      ORDER BY r.created_at DESC, r.id LIMIT ${MOST_ROWS + 1}) AS found) AS numbered`;
}
