import { type FieldType, hasOperator } from "../../../contract/lists/operators.ts";
import type { Field, FindField } from "../../fields/lead-field.ts";
import { bad, cleanText, quoted } from "../../values/bad-input.ts";
import { isMoment } from "./read-moment.ts";

/** The column of an event's data. */
export const DATA = "e.data";

/** The time from the lead's creation to the event; the only event field that needs the lead beside `e`. */
export const AFTER_CREATED = "extract(epoch FROM e.occurred_at - lead.created_at)";

/** The fields of an event, with `e` as its name in SQL. */
const EVENT_FIELDS = new Map<string, Field>(
  [
    { name: "type", type: "text", column: "e.type" },
    { name: "source", type: "text", column: "e.source" },
    { name: "title", type: "text", column: "e.title" },
    { name: "occurred_at", type: "date", column: "e.occurred_at" },
    { name: "recorded_at", type: "date", column: "e.recorded_at" },
    { name: "seconds_after_created", type: "number", column: AFTER_CREATED },
    { name: "actor.type", type: "text", column: "e.actor", key: "type" },
    { name: "actor.label", type: "text", column: "e.actor", key: "label" },
  ].map((field): [string, Field] => [field.name, field as Field]),
);

/** Finds a field of an event. `data.<key>` is typed by the operator and value. */
export const findEventField: FindField = (name, path, op, value) => {
  if (typeof name !== "string") bad(path, "type", "must be the name of a field");
  if (!name.startsWith("data.") || name.length === 5) {
    const field = EVENT_FIELDS.get(name);
    const known = [...EVENT_FIELDS.keys(), "data.<key>"].join(", ");
    return (
      field ?? bad(path, "unknown_field", `${quoted(name)} is not a field of an event; use one of ${known}`)
    );
  }
  return { name, type: typeFor(op, value), column: DATA, key: cleanText(name, path, 200).slice(5) };
};

function typeFor(op: unknown, value: unknown): FieldType {
  if (typeof op !== "string") return "text";
  const example = Array.isArray(value) ? value[0] : value;
  if (hasOperator("text", op)) {
    // A value compared with a day or a timestamp is a timestamp; a day matches all timestamps on it.
    if ((op === "eq" || op === "neq") && isMoment(value)) return "date";
    return typeof example === "number" ? "number" : typeof example === "boolean" ? "boolean" : "text";
  }
  if (op === "between") return typeof example === "string" ? "date" : "number";
  if (hasOperator("date", op)) return "date";
  return hasOperator("number", op) ? "number" : "text";
}
