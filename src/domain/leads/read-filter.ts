import { bad, quoted } from "./bad-input.ts";
import type { Filter } from "./filter.ts";
import { findField } from "./find-field.ts";
import { OPERATORS, positiveOf } from "./operator.ts";
import type { ProjectFacts } from "./project-facts.ts";
import { readTest } from "./read-test.ts";

const FORMS = 'must be {"and": […]}, {"or": […]}, {"not": …} or {"field", "op", "value"}';

/** Reads a filter that outlineOf has measured; every fault is told with its JSON path. */
export function readFilter(node: unknown, facts: ProjectFacts, path = "$.filter"): Filter {
  if (typeof node !== "object" || node === null || Array.isArray(node)) bad(path, "unknown_form", FORMS);
  const keys = Object.keys(node);
  if ("field" in node) return readCondition(node, keys, facts, path);
  const [word] = keys;
  if (keys.length !== 1 || (word !== "and" && word !== "or" && word !== "not"))
    bad(path, "unknown_form", FORMS);
  const inside = (node as Record<string, unknown>)[word];
  if (word === "not") return { kind: "not", of: readFilter(inside, facts, `${path}.not`) };
  if (!Array.isArray(inside)) bad(`${path}.${word}`, "type", "must be a list of filters");
  return { kind: word, of: inside.map((child, i) => readFilter(child, facts, `${path}.${word}[${i}]`)) };
}

function readCondition(node: object, keys: string[], facts: ProjectFacts, path: string): Filter {
  const stranger = keys.find((key) => key !== "field" && key !== "op" && key !== "value");
  if (stranger !== undefined) bad(`${path}.${stranger.slice(0, 60)}`, "unknown_key", "is not a known key");
  const { field: name, op: word, value } = node as { field?: unknown; op?: unknown; value?: unknown };
  const field = findField(name, `${path}.field`, facts);
  if (word === undefined) bad(`${path}.op`, "required", "is required");
  if (typeof word !== "string" || !OPERATORS[field.type].includes(word)) {
    const known = OPERATORS[field.type].join(", ");
    const said = typeof word === "string" ? quoted(word) : "this";
    bad(
      `${path}.op`,
      "unknown_operator",
      `${said} is not an operator of ${field.name}; it knows ${known || "none"}`,
    );
  }
  const { op, negated } = positiveOf(word);
  if (op === "is_empty") {
    if (value !== undefined && value !== null)
      bad(`${path}.value`, "unexpected_value", `${word} takes no value`);
    return { kind: "condition", field, negated, test: { kind: "empty" } };
  }
  if (value === undefined) bad(`${path}.value`, "required", "is required");
  return { kind: "condition", field, negated, test: readTest(field, op, value, facts, `${path}.value`) };
}
