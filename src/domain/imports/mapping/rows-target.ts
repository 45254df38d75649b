import type { Transaction } from "../../../db/pool/database.ts";
import { findDataset } from "../../datasets/definition/dataset.ts";
import type { ColumnType } from "../../fields/column.ts";
import { bad } from "../../values/bad-input.ts";
import type { CellType } from "../../values/import-field.ts";
import type { ImportTarget } from "./import-target.ts";
import type { Mapping } from "./mapping.ts";

/** The column of a file that names rows by their ids. */
export const ROW_ID = "_id";

/** As the file's own ways of writing have it; texts are read by the dataset itself, which knows their rules. */
const READ_AS: Readonly<Record<ColumnType, CellType>> = {
  text: "raw",
  integer: "integer",
  number: "number",
  boolean: "boolean",
  date: "date",
  datetime: "datetime",
  email: "email",
  phone: "phone",
  url: "raw",
  enum: "enum",
  json: "raw",
};

/** A dataset as an import sees it: its columns are the fields. 404 where it is gone, 400 for rules that are for leads. */
export async function openRowsTarget(
  tx: Pick<Transaction, "query">,
  projectId: string,
  datasetId: string,
  mapping: Mapping,
): Promise<ImportTarget> {
  const dataset = await findDataset(tx, projectId, datasetId);
  const [project] = await tx.query<{ timezone: string }>(
    "SELECT timezone FROM project WHERE project_id = $1",
    [projectId],
  );
  for (const key of ["fields", "calendar", "events"] as const)
    if (mapping[key] !== undefined) bad(`$.${key}`, "unexpected", "is allowed only for leads");
  const fields: ImportTarget["fields"] = new Map([[ROW_ID, { type: "raw", options: [] }]]);
  for (const { key, type, options } of dataset.columns)
    fields.set(key, { type: READ_AS[type], options: [...options] });
  return {
    ...{ projectId, country: dataset.country, timezone: project?.timezone ?? "UTC" },
    ...{ statuses: [], untracked: new Set<string>(), fields },
    rows: { dataset: dataset.id, mode: modeOf(dataset.key_column, mapping), headers: headersOf(mapping) },
  };
}

/** What is said, else upsert where rows can be found by what the mapping fills. */
function modeOf(keyColumn: string | null, mapping: Mapping): "insert" | "upsert" | "update" {
  const filled = new Set([...headersOf(mapping).keys(), ...Object.keys(mapping.set ?? {})]);
  const isNamed = filled.has(ROW_ID) || (keyColumn !== null && filled.has(keyColumn));
  const { mode = isNamed ? "upsert" : "insert" } = mapping;
  if (mode !== "insert" && filled.size > 0 && !isNamed) {
    const what = keyColumn === null ? ROW_ID : `${keyColumn} or ${ROW_ID}`;
    bad("$.mode", "no_key", `needs a column of the file that fills ${what}`);
  }
  return mode;
}

/** By the column it fills, the header that a fault names. */
const headersOf = ({ columns }: Mapping): Map<string, string> =>
  new Map(
    Object.entries(columns).map(([header, rule]) => [typeof rule === "string" ? rule : rule.field, header]),
  );
