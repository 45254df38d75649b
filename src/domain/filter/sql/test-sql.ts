import type { Field } from "../../fields/lead-field.ts";
import { isCurrency } from "../../fields/sales.ts";
import type { Test } from "../tree/filter.ts";
import { numberRangeSql, numbersSql } from "./number-sql.ts";
import { momentSql, rangeSql } from "./range-sql.ts";
import type { StatementScope } from "./statement-scope.ts";
import { domainSql, exactSql, foldedSql, lowerSql, partSql, phoneSql } from "./text-sql.ts";

/** Returns the SQL of one test of one field. */
export function testSql(field: Field, test: Test, scope: StatementScope): string {
  const { parameters } = scope;
  switch (test.kind) {
    case "empty":
      return emptySql(field, scope);
    case "text":
      return test.match === "whole"
        ? foldedSql(field, test.values, scope)
        : partSql(field, test.match, test.values[0] ?? "", scope);
    case "exact":
      return exactSql(field, test.values, scope);
    case "email":
      return lowerSql(field, test.values, scope);
    case "domain":
      return domainSql(field, test.values, scope);
    case "phone":
      return phoneSql(field, test.values, scope);
    case "tags":
      return listSql(field, test, scope);
    case "boolean":
      return field.key === undefined
        ? `${field.column} = ${parameters.add(test.value)}::boolean`
        : exactSql(field, [String(test.value)], scope);
    case "numbers":
      return numbersSql(field, test.values, scope);
    case "number":
      return numberRangeSql(field, test.range, scope);
    case "moment":
      return rangeSql(scope.value(field), test.range, (point) => momentSql(point, scope));
  }
}

type ListTest = Extract<Test, { kind: "tags" }>;

/** Lists are compared exactly, but e-mail addresses without case, as in their index. */
function listSql(field: Field, { all, values: asked }: ListTest, { parameters }: StatementScope): string {
  const [how, values] = [all ? "@>" : "&&", parameters.texts(asked)];
  if (field.name !== "emails" || asked.length === 0) return `${field.column} ${how} ${values}`;
  return `emails <> '{}' AND lower_all(emails) ${how} lower_all(${values})`;
}

/** A currency is empty if none was written, although the lead has the project's then. */
function emptySql(field: Field, scope: StatementScope): string {
  const value = isCurrency(field) ? field.column : scope.value(field);
  if (field.type === "tags" || (field.type === "object" && field.key === undefined)) return `${value} = '{}'`;
  if (field.type === "object") return `(${value} IS NULL OR ${value} IN ('', '{}', '[]'))`;
  const scalar = field.type === "number" || field.type === "date" || field.type === "boolean";
  return scalar ? `${value} IS NULL` : `(${value} IS NULL OR ${value} = '')`;
}
