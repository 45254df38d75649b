import { type Field, hasTerms } from "../../fields/lead-field.ts";
import type { Range } from "../tree/filter.ts";
import { rangeSql } from "./range-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

const LARGEST = 1e300;
const SMALLEST = 1e-300;

/** The terms of custom_terms() that together cover every number from low to high, and few others. */
function numberTerms(key: string, low: number, high: number): string[] {
  const [first, last] = [numberKey(low), numberKey(high)];
  const stem = `${[...key].slice(0, 60).join("")}#`;
  const terms: string[] = [];
  for (let at = first; at <= last; ) {
    const isWholeByte = at % 256 === 0 && at + 255 <= last;
    terms.push(stem + (isWholeByte ? hex(at / 256, 2) : hex(at, 4)));
    at += isWholeByte ? 256 : 1;
  }
  return terms;
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

/** The first 16 bits of a number in numeric order, as in the database's number_key(). */
function numberKey(number: number): number {
  const bounded = Math.min(Math.max(number, -LARGEST), LARGEST);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(bounded) < SMALLEST ? 0 : bounded);
  const bits = view.getUint32(0);
  return (bounded <= -SMALLEST ? ~bits : bits ^ 0x8000_0000) >>> 16;
}

/** The condition that a field equals one of these numbers, without index terms. */
export function equalSql(field: Field, numbers: readonly number[], scope: StatementScope): string {
  const { parameters } = scope;
  const [only] = numbers;
  return numbers.length === 1
    ? `${scope.value(field)} = ${parameters.add(only)}::${typeOf(field)}`
    : `${scope.value(field)} = ANY (${parameters.add([...numbers])}::${typeOf(field)}[])`;
}

/** The condition that a field is within a range, without index terms. */
export const withinSql = (field: Field, range: Range<number>, scope: StatementScope): string =>
  rangeSql(scope.value(field), range, (at) => `${scope.parameters.add(at)}::${typeOf(field)}`);

/** The condition that a field equals one of these numbers. */
export function numbersSql(field: Field, numbers: readonly number[], scope: StatementScope): string {
  const { parameters } = scope;
  const exact = equalSql(field, numbers, scope);
  if (field.key === undefined || !hasTerms(field)) return exact;
  const texts = parameters.add([...numbers]);
  const terms = `ARRAY(SELECT custom_term(${parameters.text(field.key)}, trim_scale(item)::text) FROM unnest(${texts}::numeric[]) AS listed (item))`;
  return `${exact} AND custom_terms(${field.column}) && ${terms}`;
}

/** The condition that a field is within a range; custom fields are first narrowed by the terms of the range. */
export function numberRangeSql(field: Field, range: Range<number>, scope: StatementScope): string {
  const { parameters } = scope;
  const exact = withinSql(field, range, scope);
  if (field.key === undefined || !hasTerms(field)) return exact;
  const low = range.from?.at ?? Number.NEGATIVE_INFINITY;
  const terms = numberTerms(field.key, low, range.until?.at ?? Number.POSITIVE_INFINITY);
  return `${exact} AND custom_terms(${field.column}) && ${parameters.texts(terms)}`;
}

const typeOf = (field: Field): string => (field.key === undefined ? "float8" : "numeric");
