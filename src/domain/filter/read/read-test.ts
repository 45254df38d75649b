import { MEANING_FIELD } from "../../../contract/lists/figures.ts";
import type { Field } from "../../fields/lead-field.ts";
import { meaningsOf } from "../../fields/sales.ts";
import { bad, cleanText } from "../../values/bad-input.ts";
import { listOf } from "../../values/read-list.ts";
import { readPhone } from "../../values/read-phone.ts";
import type { Test } from "../tree/filter.ts";
import { readMomentRange } from "./read-moment.ts";
import { readNumberTest } from "./read-number.ts";
import { readOption } from "./read-option.ts";
import type { Reading } from "./reading.ts";

const MATCHES: Record<string, "part" | "start" | "end"> = {
  contains: "part",
  starts_with: "start",
  ends_with: "end",
};

/** Reads the value of a positive operator as the test that it means. */
export function readTest(field: Field, op: string, value: unknown, reading: Reading, path: string): Test {
  switch (field.type) {
    case "number":
      return readNumberTest(op, value, path);
    case "date":
      return { kind: "moment", range: readMomentRange(op, value, path) };
    case "boolean":
      if (typeof value !== "boolean") bad(path, "type", "must be true or false");
      return { kind: "boolean", value };
    case "tags":
      return { kind: "tags", all: op === "has_all", values: listOf(value, path, cleanText) };
    default:
      return readTextTest(field, op, value, reading, path);
  }
}

function readTextTest(field: Field, op: string, value: unknown, reading: Reading, path: string): Test {
  const match = MATCHES[op];
  if (match !== undefined) return { kind: "text", match, values: [cleanText(value, path)] };
  if (field.type === "phone") return { kind: "phone", values: phonesOf(field, op, value, reading, path) };
  if (field.type === "enum") {
    const values = optionsOf(field, op, value, reading, path);
    return { kind: "exact", values: field.name === MEANING_FIELD ? meaning(values, reading) : values };
  }
  const values = op === "eq" ? [cleanText(value, path)] : listOf(value, path, cleanText);
  if (op === "domain_in") return { kind: "domain", values };
  if (field.type === "email") return { kind: "email", values };
  return field.type === "text" ? { kind: "text", match: "whole", values } : { kind: "exact", values };
}

function optionsOf(field: Field, op: string, value: unknown, reading: Reading, path: string): string[] {
  const read = (item: unknown, at: string) => readOption(field, cleanText(item, at), at, reading);
  return op === "eq" ? [...read(value, path)] : [...new Set(listOf(value, path, read).flat())];
}

/** The statuses with one of these meanings. */
const meaning = (meanings: readonly string[], { schema }: Reading): string[] =>
  Object.entries(meaningsOf(schema.statuses, schema.meanings)).flatMap(([status, one]) =>
    meanings.includes(one) ? [status] : [],
  );

/** Reads numbers as E.164. For a custom field also verbatim, because its values may be stored that way. */
function phonesOf(field: Field, op: string, value: unknown, { schema }: Reading, path: string): string[] {
  const read = (item: unknown, at: string): string[] => {
    const text = cleanText(item, at);
    const number = readPhone(text, schema.defaultCountry, at);
    return field.key === undefined || text === number ? [number] : [number, text];
  };
  return op === "eq" ? read(value, path) : listOf(value, path, read).flat();
}
