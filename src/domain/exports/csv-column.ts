import type { Field } from "../fields/lead-field.ts";
import type { StatementScope } from "../filter/sql/statement-scope.ts";
import type { CellKind } from "./csv-cells.ts";

/** What COPY writes of a field, and what becomes of that in our file. */
interface CsvColumn {
  sql: string;
  kind: CellKind;
}

/** Ours or normalised by us: nothing that a spreadsheet could run. */
const PLAIN = new Set(["id", "phone_e164", "owner_id", "import_id", "merged_into_id"]);

/** A field of a lead as a column of a CSV. */
export function csvColumn(field: Field, scope: StatementScope): CsvColumn {
  const sql = scope.text(field);
  if (field.key !== undefined) return customColumn(field, sql, scope);
  if (PLAIN.has(field.name) || field.type === "number") return { sql, kind: "plain" };
  switch (field.type) {
    case "object":
      return { sql: `nullif(${sql}, '{}')::text`, kind: "plain" };
    case "tags":
      return { sql, kind: field.name === "phones" ? "phones" : "list" };
    case "boolean":
    case "date":
    case "phone":
      return { sql, kind: field.type };
    default:
      return { sql, kind: "text" };
  }
}

/** A value of the project's own, as it is stored; only what its field says it is goes unescaped. */
function customColumn(field: Field, sql: string, { parameters }: StatementScope): CsvColumn {
  if (field.type !== "number") return { sql, kind: field.type === "phone" ? "phone" : "text" };
  // what is no number there, but a text from before the field was one, only JSON knows
  const type = `jsonb_typeof(custom -> ${parameters.text(field.key ?? "")})`;
  const runs = `ascii(${sql}) IN (61,43,45,64,9,13,39) AND ${type} <> 'number' AND ${sql} ~ '^''*[=+@\\t\\r-]'`;
  return { sql: `CASE WHEN ${runs} THEN '''' || ${sql} ELSE ${sql} END`, kind: "plain" };
}
