import type { Range } from "./filter.ts";
import type { Field } from "./lead-field.ts";
import { numberTerms } from "./number-terms.ts";
import { rangeSql } from "./range-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

/** Equal to one of these numbers. */
export function numbersSql(field: Field, numbers: readonly number[], scope: StatementScope): string {
  const { parameters } = scope;
  const type = typeOf(field);
  const [only] = numbers;
  const exact =
    numbers.length === 1
      ? `${scope.value(field)} = ${parameters.add(only)}::${type}`
      : `${scope.value(field)} = ANY (${parameters.add([...numbers])}::${type}[])`;
  if (field.key === undefined) return exact;
  const texts = parameters.add([...numbers]);
  const terms = `ARRAY(SELECT custom_term(${parameters.text(field.key)}, trim_scale(item)::text) FROM unnest(${texts}::numeric[]) AS listed (item))`;
  return `custom_terms(custom) && ${terms} AND ${exact}`;
}

/** Between two numbers; a custom one is narrowed by the terms of the range before it is compared. */
export function numberRangeSql(field: Field, range: Range<number>, scope: StatementScope): string {
  const { parameters } = scope;
  const exact = rangeSql(scope.value(field), range, (at) => `${parameters.add(at)}::${typeOf(field)}`);
  if (field.key === undefined) return exact;
  const low = range.from?.at ?? Number.NEGATIVE_INFINITY;
  const terms = numberTerms(field.key, low, range.until?.at ?? Number.POSITIVE_INFINITY);
  return `custom_terms(custom) && ${parameters.texts(terms)} AND ${exact}`;
}

const typeOf = (field: Field): string => (field.key === undefined ? "float8" : "numeric");
