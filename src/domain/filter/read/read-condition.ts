import { hasOperator, OPERATORS } from "../../../contract/lists/operators.ts";
import { compared } from "../../fields/lead-field.ts";
import { positiveOf } from "../../fields/operator.ts";
import { bad, quoted } from "../../values/bad-input.ts";
import type { Filter } from "../tree/filter.ts";
import { DATA } from "./event-field.ts";
import { readTest } from "./read-test.ts";
import type { Reading } from "./reading.ts";

/** Reads `{"field", "op", "value"}`. */
export function readCondition(node: object, reading: Reading, path: string): Filter {
  const extra = Object.keys(node).find((key) => key !== "field" && key !== "op" && key !== "value");
  if (extra !== undefined)
    bad(
      `${path}.${extra.slice(0, 60)}`,
      "unknown_key",
      "is not a known key; the known keys are field, op, value",
    );
  const { field: name, op: word, value } = node as { field?: unknown; op?: unknown; value?: unknown };
  const field = reading.find(name, `${path}.field`, word, value);
  if (word === undefined) bad(`${path}.op`, "required", "is required");
  // Event data has no fixed type, so the negative of each possible operator is possible too.
  const asked = typeof word === "string" && field.column === DATA ? positiveOf(word).op : word;
  if (typeof word !== "string" || typeof asked !== "string" || !hasOperator(field.type, asked)) {
    const known = OPERATORS[field.type].join(", ");
    const said = typeof word === "string" ? quoted(word) : "this";
    bad(`${path}.op`, "unknown_operator", `${said} is not an operator of ${field.name}; use one of ${known}`);
  }
  const { op, negated } = positiveOf(word);
  const shared = { kind: "condition", field, negated, said: { op: word, value } } as const;
  if (op === "is_empty") {
    if (value !== undefined && value !== null)
      bad(`${path}.value`, "unexpected_value", `${word} takes no value`);
    return { ...shared, test: { kind: "empty" } };
  }
  if (value === undefined) bad(`${path}.value`, "required", "is required");
  const test = readTest(field, op, value, reading, `${path}.value`);
  return { ...shared, field: compared(field, (other) => reading.find(other, `${path}.field`)), test };
}
