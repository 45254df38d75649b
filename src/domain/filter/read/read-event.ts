import { BECAME, type Meaning } from "../../../contract/lists/figures.ts";
import { COUNT_OPERATORS, OPERATORS, PICKS } from "../../../contract/lists/operators.ts";
import { positiveOf } from "../../fields/operator.ts";
import { namesOf } from "../../fields/sales.ts";
import { bad, cleanText } from "../../values/bad-input.ts";
import { pairOf } from "../../values/read-list.ts";
import type { Count, EventCondition, Filter, Said } from "../tree/filter.ts";
import { DATA, findEventField } from "./event-field.ts";
import { readMomentRange } from "./read-moment.ts";
import { attempt, type Reading } from "./reading.ts";

const KEYS = ["type", "where", "occurred", "count", "pick"];
const DATE_OPS = OPERATORS.date.filter((op) => !op.startsWith("is_"));
const MOST_TYPES = 100;
const MOST_EVENTS = 1_000_000;

/** Reads `{"type", "where", "occurred", "count", "pick"}`, all of them optional; `readPart` reads filters. */
export function readEvent(
  event: unknown,
  reading: Reading,
  path: string,
  readPart: (node: unknown, reading: Reading, path: string) => Filter,
): EventCondition {
  if (typeof event !== "object" || event === null || Array.isArray(event))
    bad(path, "type", 'must be {"type", "where", "occurred", "count", "pick"}');
  const given = event as Record<string, unknown>;
  for (const key of Object.keys(given)) {
    if (!KEYS.includes(key))
      attempt(reading, () =>
        bad(
          `${path}.${key.slice(0, 60)}`,
          "unknown_key",
          `is not a known key; the known keys are ${KEYS.join(", ")}`,
        ),
      );
  }
  const part = <T>(key: string, read: (value: unknown, at: string) => T): T | undefined =>
    Object.hasOwn(given, key) ? attempt(reading, () => read(given[key], `${path}.${key}`)) : undefined;
  const where = part("where", (value, at) =>
    readPart(value, { ...reading, find: findEventField, inside: "event" }, at),
  );
  const occurred = part("occurred", readOccurred);
  const types = part("type", readTypes) ?? [];
  const type = types.find((each) => BECAME.some((became) => became === each));
  if (type !== undefined && types.length > 1)
    attempt(reading, () => bad(`${path}.type`, "unexpected", `${type} must be the only type`));
  const pick = part("pick", readPick) ?? "any";
  if (type !== undefined && pick !== "any")
    attempt(reading, () => bad(`${path}.pick`, "unexpected", `must be any for ${type}; use occurred`));
  const asked = { types, ...(where === undefined ? {} : { where }) };
  return {
    kind: "event",
    path,
    count: part("count", readCount) ?? { least: 1, negated: false, said: { op: "gte", value: 1 } },
    pick,
    ...(type === undefined ? asked : becoming(type, where, reading)),
    ...(occurred === undefined ? {} : { occurred }),
  };
}

/** What asks for changes of a status after which it means something else than before. */
function becoming(
  type: string,
  where: Filter | undefined,
  { schema }: Reading,
): Pick<EventCondition, "types" | "where" | "became"> {
  const meaning = type.slice(type.indexOf(".") + 1) as Meaning;
  // Statuses are open unless something says otherwise, so their names are not known.
  const means = (key: "from" | "to", wanted: boolean): Filter =>
    meaning === "open"
      ? named(key, [...namesOf("won", ...known), ...namesOf("lost", ...known)], !wanted)
      : named(key, namesOf(meaning, ...known), wanted);
  const known = [schema.statuses, schema.meanings] as const;
  const own = [named("field", ["status"], true), means("to", true), means("from", false)];
  return {
    types: ["lead.updated"],
    where: { kind: "and", of: where === undefined ? own : [...own, where] },
    became: { type, ...(where === undefined ? {} : { where }) },
  };
}

/** Whether a text of an event's data is one of these. */
const named = (key: string, values: string[], wanted: boolean): Filter => ({
  kind: "condition",
  field: { name: `data.${key}`, type: "text", column: DATA, key },
  negated: !wanted,
  said: { op: wanted ? "in" : "not_in", value: values },
  test: { kind: "text", match: "whole", values },
});

/** Reads an event type or a list of them; `email.*` stands for all types with that prefix. */
export function readTypes(value: unknown, path: string): string[] {
  if (!Array.isArray(value)) return [readType(value, path)];
  if (value.length === 0) bad(path, "required", "must name at least one type");
  if (value.length > MOST_TYPES) bad(path, "too_many_values", `must have at most ${MOST_TYPES} types`);
  return value.map((type, i) => readType(type, `${path}[${i}]`));
}

function readType(value: unknown, path: string): string {
  const type = cleanText(value, path, 200);
  if (!/^[^\s*]+$/.test(type.replace(/\.\*$/, "")))
    bad(
      path,
      "bad_event_type",
      "must be an event type, such as email.opened, or a group of types, such as email.*",
    );
  return type;
}

function readPick(value: unknown, path: string): (typeof PICKS)[number] {
  return (
    PICKS.find((pick) => pick === value) ?? bad(path, "unknown_pick", `must be one of ${PICKS.join(", ")}`)
  );
}

/** Reads an object of exactly `op` and `value`. */
function saidOf(value: unknown, path: string, ops: readonly string[]): Said {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    bad(path, "type", 'must be {"op", "value"}');
  const extra = Object.keys(value).find((key) => key !== "op" && key !== "value");
  if (extra !== undefined)
    bad(`${path}.${extra.slice(0, 60)}`, "unknown_key", "is not a known key; the known keys are op, value");
  const { op, value: operand } = value as { op?: unknown; value?: unknown };
  if (typeof op !== "string" || !ops.includes(op))
    bad(`${path}.op`, "unknown_operator", `must be one of ${ops.join(", ")}`);
  if (operand === undefined) bad(`${path}.value`, "required", "is required");
  return { op, value: operand };
}

function readOccurred(value: unknown, path: string): NonNullable<EventCondition["occurred"]> {
  const said = saidOf(value, path, DATE_OPS);
  const { op, negated } = positiveOf(said.op);
  return { negated, range: readMomentRange(op, said.value, `${path}.value`), said };
}

/** Reads the condition on the number of matches. */
export function readCount(value: unknown, path: string): EventCondition["count"] {
  const said = saidOf(value, path, COUNT_OPERATORS);
  const { op, negated } = positiveOf(said.op);
  return { ...countOf(op, said.value, `${path}.value`), negated, said };
}

function countOf(op: string, value: unknown, path: string): Omit<Count, "negated"> {
  if (op === "between") {
    const [least, most] = pairOf(value, path, wholeOf);
    return { least, most };
  }
  const n = wholeOf(value, path);
  if (op === "gt" || op === "gte") return { least: op === "gt" ? n + 1 : n };
  if (op === "lte") return { least: 0, most: n };
  // "fewer than 0" matches nothing: from 1 to 0 is an empty range.
  return op === "lt" ? (n === 0 ? { least: 1, most: 0 } : { least: 0, most: n - 1 }) : { least: n, most: n };
}

function wholeOf(value: unknown, path: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > MOST_EVENTS)
    bad(path, "range", `must be an integer from 0 to ${MOST_EVENTS}`);
  return value === 0 ? 0 : value;
}
