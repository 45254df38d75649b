import { anyLinkSql, linkSql } from "../fields/link.ts";
import { type AskedDataset, rowColumns } from "../fields/row-field.ts";
import type { MemberContext } from "../operation/operation.ts";
import { checked } from "../operation/operation.ts";
import { doorOf } from "../tenancy/credential.ts";
import { bad, quoted } from "../values/bad-input.ts";
import type { StatementScope } from "./sql/statement-scope.ts";

/** The most datasets that an include may name. */
const MOST_INCLUDED = 20;

/** The most rows of a dataset that a lead shows. */
const MOST_ROWS = 20;

/**
 * Returns a column of `lead` with a trailing comma: the newest rows of these datasets that link to it. It comes
 * first, so that the last `"version"` in a record is the lead's own, whatever columns datasets have.
 */
export function includeSql(datasets: readonly AskedDataset[], scope: StatementScope): string {
  if (datasets.length === 0) return "";
  const each = datasets.map((dataset) => `(${rowsSql(dataset, scope)}) AS "${dataset.key}"`);
  return `(SELECT row_to_json(d) FROM (SELECT ${each.join(", ")}) AS d) AS datasets, `;
}

/** Keys of datasets and columns need no escaping; they were validated when they were created. */
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

/** The include that adds the column below. */
const STATUS_SINCE = "status_since";

/**
 * Returns a column of `lead` with a trailing comma: when the lead got its current status, by its timeline, else
 * when it was created. Reads the lead's events backwards to its last change of status.
 */
export const statusSinceSql = (include: readonly string[] | undefined, scope: StatementScope): string =>
  include?.includes(STATUS_SINCE) === true
    ? `coalesce((SELECT e.occurred_at FROM event e
        WHERE e.project_id = ${scope.project} AND e.lead_id = lead.id AND e.merged_from IS NULL
          AND e.type = 'lead.updated' AND e.data ->> 'field' = 'status' AND e.data ->> 'to' = lead.status
        ORDER BY e.occurred_at DESC, e.id LIMIT 1), lead.created_at) AS ${STATUS_SINCE}, `
    : "";

const ALL = "datasets";
const ONE = "datasets.";

const FIND = `SELECT id, key, name, columns, lead_link,
    EXISTS (SELECT FROM lead WHERE project_id = $1 AND merged_into_id IS NOT NULL) AS merged FROM dataset
  WHERE project_id = $1 AND deleted_at IS NULL AND (key = ANY ($2::text[]) OR ($3 AND lead_link IS NOT NULL))
  ORDER BY key LIMIT ${MOST_INCLUDED}`;

/** Reads the datasets that an include names. Refuses unknown names (400) and callers without datasets:read (403). */
export async function includedDatasets(
  context: MemberContext,
  include: readonly string[] = [],
): Promise<AskedDataset[]> {
  if (include.every((name) => name === STATUS_SINCE)) return [];
  const { service, caller } = context;
  await checked(context, () => include.forEach(checkName));
  const keys = include.filter((name) => name.startsWith(ONE)).map((name) => name.slice(ONE.length));
  const found = await service.db
    .behind(doorOf(caller, { any: ["datasets:read"] }))
    .query<AskedDataset>(FIND, [caller.projectId, keys, include.includes(ALL)], { prepare: true });
  const byKey = new Map(found.map((dataset) => [dataset.key, dataset]));
  await checked(context, () => {
    for (const [i, name] of include.entries()) checkFound(name, `$.include[${i}]`, byKey);
  });
  return found;
}

function checkName(name: string, i: number): void {
  if (name !== ALL && name !== STATUS_SINCE && !/^datasets\.[a-z][a-z0-9_]*$/.test(name))
    bad(
      `$.include[${i}]`,
      "unknown_include",
      `${quoted(name)} must be one of datasets, datasets.<key>, status_since`,
    );
}

function checkFound(name: string, path: string, found: ReadonlyMap<string, AskedDataset>): void {
  if (name === ALL || name === STATUS_SINCE) return;
  const dataset = found.get(name.slice(ONE.length));
  if (dataset === undefined) bad(path, "unknown_dataset", `${quoted(name)} is not a dataset of this project`);
  if (dataset.lead_link === null)
    bad(path, "not_linked", "has no lead_link, so its rows are not linked to leads");
}
