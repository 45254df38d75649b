import { TYPE_IN_FILTERS } from "../../contract/lists/column-types.ts";
import { bad, quoted } from "../values/bad-input.ts";
import type { Column } from "./column.ts";
import { type Field, type FindField, ROW_CELLS } from "./lead-field.ts";
import { type Link, leadIdSql } from "./link.ts";

/** What filters need to know of a dataset. */
export interface AskedDataset {
  id: string;
  key: string;
  name: string;
  columns: readonly Column[];
  lead_link: Link | null;
  /** Whether the project has merged leads. */
  merged?: boolean;
}

/** What every row shows besides its columns; column keys start with a letter, so these cannot clash. */
const SYSTEM_FIELDS = ["_id", "_lead_id", "_version", "_created_at", "_updated_at"] as const;

/** The fields of a row by name: its columns in order, then those of every row. Statements call the row `r`. */
export function rowFields({
  columns,
  lead_link: link,
}: Pick<AskedDataset, "columns" | "lead_link">): ReadonlyMap<string, Field> {
  const fields: Field[] = [
    ...columns.map(({ key, slot, type, label, options }) => ({
      name: key,
      type: TYPE_IN_FILTERS[type],
      column: ROW_CELLS,
      key: slot,
      label,
      options,
    })),
    { name: "_id", type: "id", column: "r.id", required: true },
    { name: "_lead_id", type: "id", column: leadIdSql(link) },
    { name: "_version", type: "number", column: "r.version", required: true },
    { name: "_created_at", type: "date", column: "r.created_at", required: true },
    { name: "_updated_at", type: "date", column: "r.updated_at", required: true },
  ];
  return new Map(fields.map((field) => [field.name, field]));
}

/** Returns a finder of a dataset's fields by name; `dataset` is its key. */
export const fieldFinder =
  (fields: ReadonlyMap<string, Field>, dataset: string): FindField =>
  (name, path) => {
    if (typeof name !== "string") bad(path, "type", "must be the name of a column");
    return (
      fields.get(name) ??
      bad(path, "unknown_field", `${quoted(name)} is not a column of the dataset ${dataset}`)
    );
  };

/** The field of a row that is looked up among leads. */
export const LEAD_ID = "_lead_id";

/**
 * What a row shows, as SQL over `r`: everything, or these columns and its id; its lead only if the caller may read leads, as
 * SQL, too.
 */
export function rowColumns(
  dataset: Pick<AskedDataset, "columns" | "lead_link" | "key">,
  columns?: readonly string[],
  mayReadLeads: () => string = () => "true",
): string {
  const fields = rowFields(dataset);
  if (columns !== undefined) {
    const find = fieldFinder(fields, dataset.key);
    columns.forEach((name, i) => void find(name, `$.columns[${i}]`));
  }
  const wanted = columns === undefined || columns.length === 0 ? undefined : new Set(["_id", ...columns]);
  const names = [
    ...SYSTEM_FIELDS.slice(0, 3),
    ...dataset.columns.map(({ key }) => key),
    ...SYSTEM_FIELDS.slice(3),
  ];
  return names
    .filter((name) => wanted === undefined || wanted.has(name))
    .map((name) => {
      const shown = shownSql(fields.get(name));
      return `${name === LEAD_ID ? `CASE WHEN ${mayReadLeads()} THEN ${shown} END` : shown} AS "${name}"`;
    })
    .join(", ");
}

/** Slots are generated (`c` and a number), so they need no escaping. */
const shownSql = (field: Field | undefined): string =>
  field?.key === undefined ? (field?.column ?? "NULL") : `${field.column} -> '${field.key}'`;
