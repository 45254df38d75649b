import type { LeadsExport } from "../../contract/leads/query.ts";
import { LABELS, labelOf } from "../fields/field-label.ts";
import { FIELD_BY_NAME, type Field } from "../fields/lead-field.ts";
import type { ProjectSchema } from "../fields/project-schema.ts";
import { findField } from "../fields/project-schema.ts";
import { leadConditions } from "../filter/sql/lead-conditions.ts";
import { sortSql } from "../filter/sql/sort-sql.ts";
import type { StatementScope } from "../filter/sql/statement-scope.ts";
import { asLiterals } from "../sql/as-literals.ts";
import { bad } from "../values/bad-input.ts";
import { CsvCells, type CsvColumn, csvColumn } from "./rows/csv-cells.ts";
import { type JsonColumn, JsonLines, jsonColumn } from "./rows/json-lines.ts";

/** How COPY makes a file: what precedes the rows, the COPY statement, and how its output becomes the file. */
export interface ExportPlan {
  copy: string;
  head: string;
  tail: string;
  /** Number of bytes to skip at the start of COPY's output. */
  skip: number;
  /** Begins to rewrite COPY's output. */
  rows: () => CsvCells | JsonLines;
}

/** The fields of an export that names none: those that are stored. */
const USUAL = [...FIELD_BY_NAME.values()].filter(({ name, column }) => column === name);

/** The default columns of a CSV: these, then one column for each custom field. */
const STANDARD = USUAL.filter(({ name }) => name !== "custom");

/** Plans an export; throws 400 with JSON paths. */
export function exportSql(projectId: string, input: LeadsExport, schema: ProjectSchema): ExportPlan {
  const { format = "csv", delimiter = ",", bom = false } = input;
  for (const key of ["headers", "owners", "locale"] as const)
    if (format !== "csv" && input[key] !== undefined)
      bad(`$.${key}`, "unexpected", "is allowed only for a CSV");
  const { scope, where } = leadConditions(projectId, input, schema);
  const order = sortSql(input.sort, schema, scope);
  const fields = fieldsOf(input, schema);
  const from = `FROM lead WHERE ${where} ORDER BY ${order}${partSql(input)}`;
  if (format === "csv") {
    const named = fields ?? [...STANDARD, ...schema.custom.values()];
    const byName = input.owners === "names";
    const columns = named.map(
      (field): CsvColumn =>
        byName && field.name === "owner_id" ? { sql: OWNER_NAME, kind: "text" } : csvColumn(field, scope),
    );
    const heads = headersOf(named, input, schema).map(header).join(delimiter);
    const rows = `SELECT ${columns.map(({ sql }) => sql).join(", ")} ${from}`;
    return {
      copy: copySql(rows, scope),
      head: `${bom ? "\ufeff" : ""}${heads}\n`,
      tail: "",
      skip: 0,
      rows: () => new CsvCells(columns, delimiter),
    };
  }
  const columns = jsonColumns(fields, scope);
  const rows = `SELECT ${columns.map(({ sql }) => sql).join(", ")} ${from}`;
  const copy = copySql(rows, scope);
  return format === "json"
    ? { copy, head: "[", tail: "]\n", skip: 1, rows: () => new JsonLines(columns, ",") }
    : { copy, head: "", tail: "", skip: 0, rows: () => new JsonLines(columns, "") };
}

/** The owner's name; the id of somebody who is no member. */
const OWNER_NAME = `coalesce((SELECT nullif(p.name, '') FROM membership m JOIN person p ON p.id = m.person_id
  WHERE m.project_id = lead.project_id AND m.person_id = lead.owner_id), lead.owner_id)`;

/** What standard fields are called, in every language. */
const CALLED = new Set([
  ...FIELD_BY_NAME.keys(),
  ...Object.values(LABELS).flatMap((labels) => Object.values(labels).map((label) => label.toLowerCase())),
]);

/** The header of each column. A label that another column has, or a custom field of a standard one, has the field's name behind it. */
function headersOf(
  fields: readonly Field[],
  { headers, locale = "en" }: LeadsExport,
  schema: ProjectSchema,
): string[] {
  if (headers !== "labels") return fields.map(({ name }) => name);
  const labels = fields.map((field) => labelOf(field, schema, locale));
  return fields.map(({ name, key }, i) => {
    const label = labels[i] ?? name;
    const isOwn = labels.indexOf(label) === i && (key === undefined || !CALLED.has(label.toLowerCase()));
    return isOwn ? label : `${label} (${name})`;
  });
}

const partSql = ({ limit, offset }: LeadsExport): string =>
  `${limit === undefined ? "" : ` LIMIT ${limit}`}${offset === undefined ? "" : ` OFFSET ${offset}`}`;

const copySql = (rows: string, { parameters }: StatementScope): string =>
  `COPY (${asLiterals(rows, parameters.values)}) TO STDOUT`;

/** Keys of custom fields are chosen by users, so they are quoted like any cell. */
const header = (name: string): string =>
  /[",;\t\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;

function fieldsOf({ columns, fields }: LeadsExport, schema: ProjectSchema): Field[] | undefined {
  if (columns !== undefined && fields !== undefined)
    bad("$.fields", "twice", "means the same as columns; send only one of them");
  const [names, path] = columns === undefined ? [fields, "$.fields"] : [columns, "$.columns"];
  return names?.map((name, i) => {
    if (names.indexOf(name) < i) bad(`${path}[${i}]`, "repeated", "must not be named twice");
    return findField(name, `${path}[${i}]`, schema);
  });
}

/** A lead as the API shows it; requested custom fields are combined under `custom`. */
function jsonColumns(fields: readonly Field[] | undefined, { parameters }: StatementScope): JsonColumn[] {
  if (fields === undefined) return USUAL.map(jsonColumn);
  const keys = fields.flatMap(({ key }) => key ?? []);
  if (keys.length > 0 && fields.some(({ name }) => name === "custom")) {
    bad(
      "$.columns",
      "repeated",
      "must not name custom, which includes every custom field, together with some of them",
    );
  }
  const standard = fields.filter(({ key }) => key === undefined).map(jsonColumn);
  if (keys.length === 0) return standard;
  const pairs = keys.map((key) => `${parameters.text(key)}, custom -> ${parameters.text(key)}`);
  return [...standard, { name: "custom", sql: `jsonb_build_object(${pairs.join(", ")})`, kind: "json" }];
}
