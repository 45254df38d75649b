import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { CellType, ColumnType } from "../../../contract/lists/column-types.ts";
import type { RowMode } from "../../../contract/lists/datasets.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { findDataset } from "../../datasets/definition/dataset.ts";
import { bad } from "../../values/bad-input.ts";
import type { ImportTarget } from "./import-target.ts";

/** The file's column of row ids. */
export const ROW_ID = "_id";

/** The cell types that follow the file's style. Text is read by the dataset, which has its own rules. */
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

const ONLY_LEADS = [
  ...([
    "fields",
    "options",
    "identify",
    "skip_unidentified",
    "calendar",
    "events",
    "fill",
    "clear_opt_out",
  ] as const),
] as const;

/**
 * Returns a dataset as an import target, with its columns as fields. Refuses a missing dataset (404) and rules for
 * leads (400).
 */
export async function openRowsTarget(
  tx: Pick<Transaction, "query">,
  projectId: string,
  datasetId: string,
  mapping: ImportMapping,
): Promise<ImportTarget> {
  const dataset = await findDataset(tx, projectId, datasetId);
  const [project] = await tx.query<{ timezone: string; now: Date }>(
    "SELECT timezone, moment() AS now FROM project WHERE project_id = $1",
    [projectId],
  );
  for (const key of ONLY_LEADS)
    if (mapping[key] !== undefined) bad(`$.${key}`, "unexpected", "is allowed only for leads");
  const fields: ImportTarget["fields"] = new Map([[ROW_ID, { type: "raw", options: [] }]]);
  for (const { key, type, options } of dataset.columns)
    fields.set(key, { type: READ_AS[type], options: [...options] });
  return {
    ...{ projectId, country: dataset.country, timezone: project?.timezone ?? "UTC" },
    now: project?.now ?? new Date(0),
    ...{
      statuses: [],
      currency: null,
      fill: false,
      mode: "upsert",
      keepsOptOut: true,
      owners: new Map(),
      labels: new Map(),
      fields,
    },
    rows: { dataset: dataset.id, mode: modeOf(dataset.key_column, mapping), headers: headersOf(mapping) },
  };
}

/** The given mode; by default upsert if the mapping fills an id or key column, else insert. */
function modeOf(keyColumn: string | null, mapping: ImportMapping): RowMode {
  const filled = new Set([...headersOf(mapping).keys(), ...Object.keys(mapping.set ?? {})]);
  const isNamed = filled.has(ROW_ID) || (keyColumn !== null && filled.has(keyColumn));
  const { mode = isNamed ? "upsert" : "insert" } = mapping;
  if (mode !== "insert" && filled.size > 0 && !isNamed) {
    const what = keyColumn === null ? ROW_ID : `${keyColumn} or ${ROW_ID}`;
    bad("$.mode", "no_key", `needs a column of the file that fills ${what}`);
  }
  return mode;
}

/** The header that faults name, by the column that it fills. */
const headersOf = ({ columns }: ImportMapping): Map<string, string> =>
  new Map(
    Object.entries(columns).map(([header, rule]) => [typeof rule === "string" ? rule : rule.field, header]),
  );
