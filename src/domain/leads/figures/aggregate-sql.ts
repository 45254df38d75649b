import type { LeadAggregation } from "../../../contract/leads/aggregation.ts";
import type { Field } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { findField } from "../../fields/project-schema.ts";
import { currencySql, isMoney, ownCurrencySql } from "../../fields/sales.ts";
import { bucketSql } from "../../filter/sql/day-sql.ts";
import { filterSql } from "../../filter/sql/filter-sql.ts";
import type { StatementScope } from "../../filter/sql/statement-scope.ts";
import type { Filter } from "../../filter/tree/filter.ts";
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
  /** Whether it is an amount of money: one for each currency. */
  isMoney?: true;
  /** SQL for it from those of the parts of a group; without it, it cannot be told from them. */
  ofParts?: (column: string) => string;
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

/** Returns a figure, named `count`, `sum_value` and so on unless it has a name. Only leads that match `among` count. */
export function figure(
  { op, field: name, as }: Asked<"metrics">,
  i: number,
  schema: ProjectSchema,
  scope: StatementScope,
  among?: Filter,
): Figure {
  const path = `$.metrics[${i}].field`;
  if (among !== undefined && as === undefined)
    bad(`$.metrics[${i}].as`, "required", "is required with a filter");
  const only = among === undefined ? "" : ` FILTER (WHERE ${filterSql(among, scope)})`;
  if (name === undefined) {
    if (op !== "count") bad(path, "required", `is required for ${op}`);
    return { name: as ?? "count", sql: `count(*)${only}`, ofParts: COUNT_OF_PARTS };
  }
  const field = findField(name, path, schema);
  const called = as ?? `${op}_${field.name}`;
  if (field.type === "tags" || field.type === "object") {
    bad(path, "not_measurable", `${op} cannot be applied to ${field.name}`);
  }
  const value = valueSql(field, scope);
  if (op === "count") return { name: called, sql: `count(${value})${only}`, ofParts: COUNT_OF_PARTS };
  if (op === "count_distinct") return { name: called, sql: `count(DISTINCT ${value})${only}` };
  const isDate = field.type === "date" && (op === "min" || op === "max");
  if (field.type !== "number" && !isDate)
    bad(
      path,
      "not_a_number",
      `${op} cannot be applied to ${field.name}; use one of ${field.type === "date" ? DATE_OPS : OTHER_OPS}`,
    );
  const sql = measureSql(op, value, only);
  if (isMoney(field)) return { name: called, sql, isMoney: true };
  if (op === "sum") return { name: called, sql, ofParts: (column) => `trim_scale(sum(${column}))` };
  return op === "min" || op === "max"
    ? { name: called, sql, ofParts: (column) => `${op}(${column})` }
    : { name: called, sql };
}

const COUNT_OF_PARTS = (column: string): string => `coalesce(sum(${column}), 0)::bigint`;

function measureSql(op: Asked<"metrics">["op"], value: string, only: string): string {
  if (op === "sum") return `trim_scale(sum((${value})::numeric)${only})`;
  if (op === "median") return `percentile_cont(0.5) WITHIN GROUP (ORDER BY (${value})::float8)${only}`;
  return op === "avg" ? `(avg((${value})::numeric)${only})::float8` : `${op}(${value})${only}`;
}

/**
 * Returns the groups of leads: their keys `k0`…, figures `m0`…, and of those of money the amount of each currency as JSON
 * `c0`… and the one in the project's currency `o0`…. A figure of several currencies is NULL: amounts are never added up.
 */
export function groupsSql(
  keys: readonly KeyPart[],
  figures: readonly Figure[],
  where: string,
  scope: StatementScope,
): string {
  const named = (list: readonly { sql: string }[], letter: string) =>
    list.map(({ sql }, i) => `${sql} AS ${letter}${i}`);
  const from = `FROM lead ${keys.map(({ join }) => join).join(" ")} WHERE ${where}`;
  const sets = keys.map(({ by }, i) => by ?? i + 1);
  const grouped = sets.length === 0 ? "" : `GROUP BY ${sets.join(", ")}`;
  const columns = [...named(keys, "k"), ...named(figures, "m")];
  const plain = `SELECT ${columns.join(", ")} ${from} ${grouped}`;
  const money = figures.flatMap(({ isMoney: is }, i) => (is === true ? [i] : []));
  if (money.length === 0) return plain;
  const own = `coalesce(${ownCurrencySql(scope.project)}, '')`;
  const currency = keys.findIndex(({ name }) => name === "currency");
  if (currency !== -1) {
    const of = `coalesce(k${currency}, '')`;
    const amounts = money.map(
      (i) =>
        `CASE WHEN m${i} IS NULL THEN '{}' ELSE json_build_object(${of}, m${i}) END AS c${i}, CASE WHEN ${of} = ${own} THEN m${i} END AS o${i}`,
    );
    return `SELECT *, ${amounts.join(", ")} FROM (${plain}) AS plain`;
  }
  const each = [
    ...columns,
    ...keys.flatMap(({ by }, i) => (by === undefined ? [] : [`${by} AS g${i}`])),
    `coalesce(${currencySql(scope.project)}, '') AS currency_of`,
  ];
  const inParts = [...sets, each.length].join(", ");
  const others = figures.flatMap(({ isMoney: is, ofParts }, i) => (is === true ? [] : [{ i, ofParts }]));
  // A median of parts says nothing about that of all, so all are a set of their own, which has no currency.
  const grouping = others.every(({ ofParts }) => ofParts !== undefined)
    ? inParts
    : `GROUPING SETS ((${sets.join(", ")}), (${inParts}))`;
  const shown = [
    ...keys.map(({ by }, i) => (by === undefined ? `parts.k${i}` : `min(k${i}) AS k${i}`)),
    ...others.map(({ i, ofParts }) =>
      grouping === inParts && ofParts !== undefined
        ? `${ofParts(`m${i}`)} AS m${i}`
        : `(array_agg(m${i}) FILTER (WHERE currency_of IS NULL))[1] AS m${i}`,
    ),
    ...money.flatMap((i) => {
      const known = `FILTER (WHERE currency_of IS NOT NULL AND m${i} IS NOT NULL)`;
      return [
        `CASE WHEN count(*) ${known} < 2 THEN max(m${i}) ${known} END AS m${i}`,
        `coalesce(json_object_agg(currency_of, m${i} ORDER BY currency_of) ${known}, '{}') AS c${i}`,
        `max(m${i}) FILTER (WHERE currency_of = ${own}) AS o${i}`,
      ];
    }),
  ];
  const by = keys.map(({ by }, i) => (by === undefined ? `parts.k${i}` : `g${i}`));
  return `SELECT ${shown.join(", ")} FROM (SELECT ${each.join(", ")} ${from} GROUP BY ${grouping}) AS parts
    ${by.length === 0 ? "" : `GROUP BY ${by.join(", ")}`}`;
}

function valueSql(field: Field, scope: StatementScope): string {
  if (field.type === "boolean" && field.key !== undefined) {
    return `CASE ${scope.text(field)} WHEN 'true' THEN true WHEN 'false' THEN false END`;
  }
  const scalar = field.type === "number" || field.type === "date" || field.type === "boolean";
  return scalar ? scope.value(field) : `nullif(${scope.text(field)}, '')`;
}
