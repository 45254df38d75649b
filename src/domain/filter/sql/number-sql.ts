import { type Field, hasTerms } from "../../fields/lead-field.ts";
import type { Range, Test } from "../tree/filter.ts";
import { numberTerms } from "./number-terms.ts";
import { rangeSql } from "./range-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

/** Numbers compared, without what narrows them for an index. */
export function comparedSql(field: Field, test: Test, scope: StatementScope): string {
  if (test.kind === "numbers") return equalSql(field, test.values, scope);
  return test.kind === "number" ? withinSql(field, test.range, scope) : "true";
}

function equalSql(field: Field, numbers: readonly number[], scope: StatementScope): string {
  const { parameters } = scope;
  const [only] = numbers;
  return numbers.length === 1
    ? `${scope.value(field)} = ${parameters.add(only)}::${typeOf(field)}`
    : `${scope.value(field)} = ANY (${parameters.add([...numbers])}::${typeOf(field)}[])`;
}

const withinSql = (field: Field, range: Range<number>, scope: StatementScope): string =>
  rangeSql(scope.value(field), range, (at) => `${scope.parameters.add(at)}::${typeOf(field)}`);

/** Equal to one of these numbers. */
export function numbersSql(field: Field, numbers: readonly number[], scope: StatementScope): string {
  const { parameters } = scope;
  const exact = equalSql(field, numbers, scope);
  if (field.key === undefined || !hasTerms(field)) return exact;
  const texts = parameters.add([...numbers]);
  const terms = `ARRAY(SELECT custom_term(${parameters.text(field.key)}, trim_scale(item)::text) FROM unnest(${texts}::numeric[]) AS listed (item))`;
  return `custom_terms(${field.column}) && ${terms} AND ${exact}`;
}

/** Between two numbers; a custom one is narrowed by the terms of the range before it is compared. */
export function numberRangeSql(field: Field, range: Range<number>, scope: StatementScope): string {
  const { parameters } = scope;
  const exact = withinSql(field, range, scope);
  if (field.key === undefined || !hasTerms(field)) return exact;
  const low = range.from?.at ?? Number.NEGATIVE_INFINITY;
  const terms = numberTerms(field.key, low, range.until?.at ?? Number.POSITIVE_INFINITY);
  return `custom_terms(${field.column}) && ${parameters.texts(terms)} AND ${exact}`;
}

const typeOf = (field: Field): string => (field.key === undefined ? "float8" : "numeric");
