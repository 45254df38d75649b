import type { LeadAggregation } from "../../../contract/leads/aggregation.ts";
import type { Field } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { findField } from "../../fields/project-schema.ts";
import { bucketSql } from "../../filter/sql/day-sql.ts";
import type { StatementScope } from "../../filter/sql/statement-scope.ts";
import { bad } from "../../values/bad-input.ts";

/** A part of a group's key: its SQL value and the join that it needs. */
export interface KeyPart {
  name: string;
  /** The value to show. */
  sql: string;
  /** The value to group by, if it differs from the shown one. */
  by?: string;
  join: string;
  isBucket: boolean;
}

/** A figure of a group. */
export interface Figure {
  name: string;
  sql: string;
}

type Asked<Name extends "group_by" | "metrics"> = NonNullable<LeadAggregation[Name]>[number];

/** Ops for fields that are not numbers. */
const DATE_OPS = "count, count_distinct, min, max";
const OTHER_OPS = "count, count_distinct";

/** Returns the key of groups. Text is grouped verbatim, empty text as NULL; each entry of a list is a group. */
export function keyPart(
  { field: name, interval, alike }: Asked<"group_by">,
  i: number,
  usual: LeadAggregation["interval"],
  schema: ProjectSchema,
  scope: StatementScope,
): KeyPart {
  const path = `$.group_by[${i}]`;
  const field = findField(name, `${path}.field`, schema);
  if (field.type === "object")
    bad(`${path}.field`, "not_groupable", `${field.name} cannot be used for grouping`);
  if (field.type === "date") {
    const sql = bucketSql(interval ?? usual ?? "day", scope.value(field), scope);
    return { name, sql, join: "", isBucket: true };
  }
  if (interval !== undefined) bad(`${path}.interval`, "not_a_date", `${field.name} is not a date field`);
  if (alike === true && field.type !== "text")
    bad(`${path}.alike`, "not_a_text", `${field.name} is not a text field`);
  const value = { name, sql: valueSql(field, scope), join: "", isBucket: false };
  if (alike === true) return { ...value, sql: `min(${value.sql})`, by: `fold(${value.sql})` };
  if (field.type !== "tags") return value;
  const join = `LEFT JOIN LATERAL unnest(${field.column}) AS entry${i} (item) ON true`;
  return { name, sql: `entry${i}.item`, join, isBucket: false };
}

/** Returns a figure by op and field, named `count`, `sum_value` and so on. */
export function figure(
  { op, field: name }: Asked<"metrics">,
  i: number,
  schema: ProjectSchema,
  scope: StatementScope,
): Figure {
  const path = `$.metrics[${i}].field`;
  if (name === undefined) {
    if (op !== "count") bad(path, "required", `is required for ${op}`);
    return { name: "count", sql: "count(*)" };
  }
  const field = findField(name, path, schema);
  const called = `${op}_${field.name}`;
  if (field.type === "tags" || field.type === "object") {
    bad(path, "not_measurable", `${op} cannot be applied to ${field.name}`);
  }
  const value = valueSql(field, scope);
  if (op === "count") return { name: called, sql: `count(${value})` };
  if (op === "count_distinct") return { name: called, sql: `count(DISTINCT ${value})` };
  const isDate = field.type === "date" && (op === "min" || op === "max");
  if (field.type !== "number" && !isDate)
    bad(
      path,
      "not_a_number",
      `${op} cannot be applied to ${field.name}; use one of ${field.type === "date" ? DATE_OPS : OTHER_OPS}`,
    );
  if (op === "sum") return { name: called, sql: `trim_scale(sum((${value})::numeric))` };
  if (op === "median")
    return { name: called, sql: `percentile_cont(0.5) WITHIN GROUP (ORDER BY (${value})::float8)` };
  return { name: called, sql: op === "avg" ? `avg((${value})::numeric)::float8` : `${op}(${value})` };
}

function valueSql(field: Field, scope: StatementScope): string {
  if (field.type === "boolean" && field.key !== undefined) {
    return `CASE ${scope.text(field)} WHEN 'true' THEN true WHEN 'false' THEN false END`;
  }
  const scalar = field.type === "number" || field.type === "date" || field.type === "boolean";
  return scalar ? scope.value(field) : `nullif(${scope.text(field)}, '')`;
}
