import type { AskedDataset } from "../fields/row-field.ts";
import { checked } from "../operation/checked.ts";
import type { MemberContext } from "../operation/operation.ts";
import { doorOf } from "../tenancy/credential.ts";
import { bad, quoted } from "../values/bad-input.ts";
import { MOST_INCLUDED } from "./include.ts";
import { STATUS_SINCE } from "./status-since-sql.ts";

const ALL = "datasets";
const ONE = "datasets.";

const FIND = `SELECT id, key, name, columns, lead_link,
    EXISTS (SELECT FROM lead WHERE project_id = $1 AND merged_into_id IS NOT NULL) AS merged FROM dataset
  WHERE project_id = $1 AND deleted_at IS NULL AND (key = ANY ($2::text[]) OR ($3 AND lead_link IS NOT NULL))
  ORDER BY key LIMIT ${MOST_INCLUDED}`;

/**
 * The datasets that an include names; 400 where there is no such, 403 without datasets:read, whatever else the caller
 * may. No round trip where nothing is included, else one.
 */
export async function includedDatasets(
  context: MemberContext,
  include: readonly string[] = [],
): Promise<AskedDataset[]> {
  if (include.every((name) => name === STATUS_SINCE)) return [];
  const { service, caller } = context;
  await checked(context, () => include.forEach(checkName));
  const keys = include.filter((name) => name.startsWith(ONE)).map((name) => name.slice(ONE.length));
  const found = await service.db
    .behind(doorOf(caller, "datasets:read"))
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
      `${quoted(name)} is neither datasets nor datasets.<key> nor status_since`,
    );
}

function checkFound(name: string, path: string, found: ReadonlyMap<string, AskedDataset>): void {
  if (name === ALL || name === STATUS_SINCE) return;
  const dataset = found.get(name.slice(ONE.length));
  if (dataset === undefined) bad(path, "unknown_dataset", `${quoted(name)} is not a dataset of this project`);
  if (dataset.lead_link === null) bad(path, "not_linked", "has no lead_link, so its rows mean no leads");
}
