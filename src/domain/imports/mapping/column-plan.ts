import type { ColumnRule, ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { ImportFormat } from "../../../contract/lists/files.ts";
import { SHARED_FIELDS } from "../../../contract/lists/opt-outs.ts";
import { ENTRY_TYPES } from "../../../contract/lists/written-fields.ts";
import { malformed } from "../../../core/refusal.ts";
import { fileReader } from "../../values/file-reader.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import { type ColumnStyle, styleOf } from "./column-style.ts";
import { columnText } from "./column-text.ts";
import { type FieldReading, readingOf } from "./field-reading.ts";
import type { ImportTarget } from "./import-target.ts";
import { ruledReader } from "./ruled-reader.ts";
import { compileTemplate, type Template } from "./template.ts";
import { skippedIn } from "./used-columns.ts";

/** A field that each row can fill: the source of its text, and its reader. */
interface FieldPlan extends FieldReading {
  field: string;
  /** The column header that faults name. */
  column: string;
  text: Template;
  /** Of value: the currency of its amounts, or `signs` if each has its own. */
  currency?: string;
}

export interface ColumnPlan {
  fields: FieldPlan[];
  skippedColumns: string[];
  columnOf(header: string): number;
}

/** Applies a mapping to a file's columns; refuses unknown columns and fields. */
export function planColumns(
  profiles: readonly ColumnProfile[],
  mapping: ImportMapping,
  target: ImportTarget,
  format: ImportFormat,
): ColumnPlan {
  const header = profiles.map(({ name }) => name);
  const columnOf = (name: string, path = "$.columns") => {
    const index = header.indexOf(name);
    if (index < 0)
      throw malformed([{ path, code: "unknown_column", message: `"${name}" is not a column of the file` }]);
    return index;
  };
  for (const part of ["skip_if", "opt_out_if"] as const)
    for (const column of Object.keys(mapping[part] ?? {})) columnOf(column, `$.${part}.${column}`);
  const fields: FieldPlan[] = [];
  const isCsv = format !== "ndjson" && format !== "json";
  const plan = (
    field: string,
    column: string,
    text: Template,
    path: string,
    style: ColumnStyle,
    escaped: boolean,
  ) => {
    const known = field === "id" && target.rows === null ? LEAD_ID : target.fields.get(field);
    const isShared = target.rows === null && SHARED_FIELDS.has(field);
    if (known === undefined || (!isShared && fields.some((other) => other.field === field))) {
      const [code, what] = known === undefined ? ["unknown_field", "no such"] : ["field_twice", "a second"];
      throw malformed([{ path, code, message: `${what} field "${field}"` }]);
    }
    const entries = target.rows === null ? ENTRY_TYPES[field] : undefined;
    const read = fileReader(known.type, known.options, { ...style, escaped, entries });
    fields.push({ field, column, text, ...readingOf(field, known.type, read, target) });
  };
  const place = ([column]: readonly [string, unknown]) => header.indexOf(column);
  // In the order of the file, because faults are reported in the order of the fields.
  for (const [column, rule] of Object.entries(mapping.columns).sort((a, b) => place(a) - place(b))) {
    const path = `$.columns.${column}`;
    const whole: ColumnRule = typeof rule === "string" ? { field: rule } : rule;
    const { field, calling_code: code, currency } = whole;
    const index = columnOf(column, path);
    const codeColumn = code === undefined ? undefined : columnOf(code, `${path}.calling_code`);
    const text = columnText(index, codeColumn, whole, isCsv);
    plan(field, column, text, path, styleOf(column, profiles, mapping, target), false);
    const planned = fields.at(-1);
    if (planned === undefined) continue;
    planned.read = ruledReader(planned.read, whole);
    if (currency !== undefined) planned.currency = currency;
  }
  for (const column of mapping.identify ?? []) columnOf(column, "$.identify");
  for (const [field, text] of Object.entries(mapping.set ?? {})) {
    const style = styleOf(undefined, profiles, mapping, target);
    plan(field, field, compileTemplate(text, columnOf), `$.set.${field}`, style, isCsv);
  }
  if (fields.length === 0) {
    throw malformed([
      {
        path: "$.columns",
        code: "no_columns",
        message: "must map at least one column of the file to a field",
      },
    ]);
  }
  return { fields, columnOf, skippedColumns: skippedIn(profiles, mapping).map(({ name }) => name) };
}

const LEAD_ID = { type: "text" as const, options: [] };
