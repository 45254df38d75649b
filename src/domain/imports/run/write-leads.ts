import type { CellType } from "../../../contract/lists/column-types.ts";
import { IMPORT_FIELDS, NEW_LEAD_VALUES } from "../../../contract/lists/written-fields.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import {
  type ArrayColumn,
  type ArrayColumnType,
  type ColumnArrays,
  columnArrays,
} from "../../sql/column-arrays.ts";
import { customKey, isCustom } from "../../values/value.ts";
import type { ImportTarget } from "../mapping/import-target.ts";
import { columnsOf, type MappedLead } from "./lead-identity-map.ts";

/** Frees the external ids that leads of the batch give up, for other leads of it; the order of writes has no meaning. */
export const RELEASE = "UPDATE lead SET external_id = NULL WHERE project_id = $1 AND id = ANY ($2::text[])";

/** The values of a new lead whose cells are blank. */
export const blanksOf = ({ statuses }: Pick<ImportTarget, "statuses">): Record<string, unknown> => ({
  ...NEW_LEAD_VALUES,
  status: statuses[0] ?? "new",
});

/** Writes the new and changed leads of a batch. `meanwhile` runs while only the database is working. */
export async function writeLeads(
  tx: Transaction,
  target: Pick<ImportTarget, "projectId" | "statuses">,
  importId: string,
  fields: readonly string[],
  leads: readonly MappedLead[],
  meanwhile?: () => void,
): Promise<void> {
  const { projectId } = target;
  const changed = leads.filter((lead) => lead.changed);
  const columns = columnsOf(fields);
  const written = leadColumns(columns, blanksOf(target));
  const fresh = columnArrays(
    written,
    changed.filter((lead) => lead.fresh),
  );
  const known = changed.filter((lead) => !lead.fresh);
  const updated = columnArrays(written, known);
  const freed = known.filter(givesUpExternalId).map(({ id }) => id);
  const store = async () => {
    if (freed.length > 0) await tx.query(RELEASE, [projectId, freed]);
    if (fresh.count > 0) await tx.query(insertSql(columns, fresh), [projectId, importId, ...fresh.values]);
    if (updated.count > 0) await tx.query(updateSql(columns, updated), [projectId, ...updated.values]);
  };
  await Promise.all([store(), (async () => meanwhile?.())()]);
}

/** Whether its external id is free for other leads of the batch. */
export function givesUpExternalId({ before, values }: MappedLead): boolean {
  const had = before.get("external_id");
  return typeof had === "string" && had !== values.get("external_id");
}

/** Writers that create the same external ids in one order wait for each other, and do not deadlock. */
function insertSql(columns: readonly string[], fresh: ColumnArrays): string {
  const list = columns.join(", ");
  return `INSERT INTO lead (project_id, id, import_id, ${list})
    SELECT $1, id, $2, ${list.replace(/\bcreated_at\b/, "coalesce(created_at, moment())")}
    FROM ${fresh.sql(3)} AS s ORDER BY external_id`;
}

/** The rows are a part of their own, since on a cluster an UPDATE may not read a text as a list. */
function updateSql(columns: readonly string[], known: ColumnArrays): string {
  const set = columns.filter((column) => column !== "created_at").map((column) => `${column} = s.${column}`);
  return `WITH s AS ${known.sql(2)}
    UPDATE lead SET ${set.join(", ")}, version = lead.version + 1, updated_at = moment()
    FROM s WHERE lead.project_id = $1 AND lead.id = s.id`;
}

const ARRAY_TYPES: Readonly<Partial<Record<CellType, ArrayColumnType>>> = {
  number: "double precision",
  integer: "double precision",
  boolean: "boolean",
  datetime: "timestamptz",
  date: "timestamptz",
  list: "text[]",
};

/** A lead's id and these columns of it; `blanks` are the values of a new lead whose cells are blank. */
export const leadColumns = (
  columns: readonly string[],
  blanks: Record<string, unknown>,
): ArrayColumn<MappedLead>[] => [
  ["id", "text", ({ id }) => id],
  ...columns.map((name) => columnOf(name, blanks[name])),
];

function columnOf(name: string, blank: unknown): ArrayColumn<MappedLead> {
  if (name === "custom") return [name, "jsonb", customJson];
  const type = IMPORT_FIELDS[name];
  return [name, (type && ARRAY_TYPES[type]) ?? "text", ({ values }) => values.get(name) ?? blank];
}

function customJson({ values }: MappedLead): string {
  const pairs: string[] = [];
  for (const [field, value] of values)
    if (value !== null && isCustom(field))
      pairs.push(`${JSON.stringify(customKey(field))}:${JSON.stringify(value)}`);
  return `{${pairs.join(",")}}`;
}
