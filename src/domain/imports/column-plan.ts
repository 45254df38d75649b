import { malformed } from "../../core/refusal.ts";
import { type CellReader, cellReader } from "./cell-readers.ts";
import type { ImportTarget } from "./import-target.ts";
import type { Mapping } from "./mapping.ts";
import { compileTemplate, type Template } from "./template.ts";

/** One field that each row may fill: where its text comes from, and how it is read. */
interface FieldPlan {
  field: string;
  /** The header that a fault names. */
  column: string;
  text: Template;
  read: CellReader;
}

export interface ColumnPlan {
  fields: FieldPlan[];
  skippedColumns: string[];
  columnOf(header: string): number;
}

/** The mapping of a file whose headers are the names of fields: `First Name` fills `first_name`. */
export function mappingByHeaders(header: readonly string[], target: ImportTarget): Mapping {
  const columns: Record<string, string> = {};
  const taken = new Set<string>();
  for (const name of header) {
    const field = name.toLowerCase().replace(/[\s-]+/g, "_");
    if (!target.fields.has(field) || taken.has(field)) continue;
    taken.add(field);
    columns[name] = field;
  }
  return { columns };
}

/** Fits a mapping to a file's header; throws a refusal that names unknown columns and fields. */
export function planColumns(header: readonly string[], mapping: Mapping, target: ImportTarget): ColumnPlan {
  const columnOf = (name: string, path = "$.columns") => {
    const index = header.indexOf(name);
    if (index < 0)
      throw malformed([{ path, code: "unknown_column", message: `the file has no column "${name}"` }]);
    return index;
  };
  const fields: FieldPlan[] = [];
  const plan = (field: string, column: string, text: Template, path: string) => {
    const known = target.fields.get(field);
    if (known === undefined || fields.some((other) => other.field === field)) {
      const [code, what] = known === undefined ? ["unknown_field", "no such"] : ["field_twice", "a second"];
      throw malformed([{ path, code, message: `${what} field "${field}"` }]);
    }
    fields.push({ field, column, text, read: cellReader(known.type, known.options) });
  };
  for (const [column, rule] of Object.entries(mapping.columns)) {
    const path = `$.columns.${column}`;
    const { field, values = {} } = typeof rule === "string" ? { field: rule } : rule;
    const index = columnOf(column, path);
    const meanings = new Map(Object.entries(values));
    plan(field, column, ({ cells }) => meaning(meanings, (cells[index] ?? "").trim()), path);
  }
  for (const [field, text] of Object.entries(mapping.set ?? {})) {
    plan(field, field, compileTemplate(text, columnOf), `$.set.${field}`);
  }
  if (fields.length === 0) {
    throw malformed([
      { path: "$.columns", code: "no_columns", message: "no column of the file fills a field" },
    ]);
  }
  const used = usedHeaders(mapping);
  return {
    fields,
    columnOf,
    skippedColumns: header.filter((name, i) => !used.has(name) || header.indexOf(name) < i),
  };
}

const meaning = (meanings: Map<string, string>, text: string) => meanings.get(text) ?? text;

function usedHeaders(mapping: Mapping): Set<string> {
  const templates = [
    ...Object.values(mapping.set ?? {}),
    ...(mapping.events ?? []).flatMap((rule) => [rule.title, rule.key, ...Object.values(rule.data ?? {})]),
  ];
  return new Set([
    ...Object.keys(mapping.columns),
    ...(mapping.calendar === undefined ? [] : [mapping.calendar.day, mapping.calendar.month]),
    ...(mapping.events ?? []).flatMap((rule) => rule.times ?? []),
    ...templates.flatMap((text) => [...text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "")),
  ]);
}
