import { OPERATORS } from "../../../../contract/lists/operators.ts";
import { type Fault, malformed } from "../../../../core/refusal.ts";
import { positiveOf } from "../../../../domain/fields/operator.ts";
import { attempt } from "../../../../domain/filter/read/reading.ts";
import { bad, quoted } from "../../../../domain/values/bad-input.ts";

interface Condition {
  field: string;
  op: string;
  value?: unknown;
}

/** Alternatives, each a list of conditions. */
export interface Groups<C extends object = Condition> {
  any: { all: C[] }[];
}

const EMPTY = ["is_empty", "is_not_empty"];
const WHEN: readonly string[] = OPERATORS.date.filter((op) => !EMPTY.includes(op));
const HOW_MANY: readonly string[] = OPERATORS.number.filter((op) => !["in", "not_in", ...EMPTY].includes(op));
const MOST_FAULTS = 20;

const NONE = { op: "eq", value: 0 };
const SOME = { op: "gte", value: 1 };

/**
 * Returns the groups with `event.<type>` and `dataset.<key>.<column>` translated to the service's grammar.
 */
export function withRelated({ any }: Groups): Groups<object> {
  const faults: Fault[] = [];
  const groups = any.map(({ all }, i) => ({
    all: all.map((condition, j) => {
      const path = `$.filter.any[${i}].all[${j}]`;
      return attempt({ faults }, () => inGrammar(condition, path)) ?? condition;
    }),
  }));
  if (faults.length > 0) throw malformed(faults.slice(0, MOST_FAULTS));
  return { any: groups };
}

function inGrammar(condition: Condition, path: string): object {
  const { field, op, value } = condition;
  const [, type] = /^event\.(.+)$/.exec(field) ?? [];
  if (type !== undefined) return { event: { type, ...askedOfEvents(condition, path) } };
  const [, key, column] = /^dataset\.([^.]+)(?:\.(.+))?$/.exec(field) ?? [];
  if (key === undefined) return condition;
  if (column === undefined) return { dataset: { key, count: askedOfRows(condition, path) } };
  return { dataset: { key, where: { field: column, op, value } } };
}

function askedOfEvents(condition: Condition, path: string): object {
  const { op, value } = condition;
  const count = countOf(condition, path);
  // eq and between apply to dates and to numbers: the value decides.
  if (count !== undefined && (!WHEN.includes(op) || isNumeric(value))) return { count };
  if (!WHEN.includes(op)) {
    const known = `${list(WHEN)} for when it happened, ${list(HOW_MANY)} with numbers for how often`;
    return unknownOperator(condition, path, known);
  }
  const { op: positive, negated } = positiveOf(op);
  const occurred = { op: positive, value };
  return negated ? { occurred, count: NONE } : { occurred };
}

function askedOfRows(condition: Condition, path: string): object {
  const known = `${list(HOW_MANY)} for how many rows are linked`;
  return countOf(condition, path) ?? unknownOperator(condition, path, known);
}

/**
 * Returns the condition on the number of events or rows; undefined if the operator is about something else.
 */
function countOf({ op, value }: Condition, path: string): object | undefined {
  if (!EMPTY.includes(op)) return HOW_MANY.includes(op) ? { op, value } : undefined;
  if (value !== undefined && value !== null) bad(`${path}.value`, "unexpected_value", `${op} takes no value`);
  return op === "is_empty" ? NONE : SOME;
}

const isNumeric = (value: unknown): boolean => [value].flat().every((n) => typeof n === "number");

const list = (ops: readonly string[]): string => ops.join(", ");

function unknownOperator({ field, op }: Condition, path: string, known: string): never {
  const message = `${quoted(op)} is not an operator of ${quoted(field)}; use one of ${known}, or ${list(EMPTY)}`;
  return bad(`${path}.op`, "unknown_operator", message);
}
