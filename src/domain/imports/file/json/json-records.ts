import { Refusal } from "../../../../core/refusal.ts";
import type { FileRecord } from "../shape/import-file.ts";
import { jsonColumns } from "./json-columns.ts";
import { elementScanner } from "./json-elements.ts";
import { namedValues } from "./named-values.ts";

/**
 * Yields the records of a JSON array of objects, or of an object that has such an array; a record's line is where its
 * object starts. `header` grows as `jsonColumns` describes. Refuses a broken or empty array.
 */
export async function* jsonRecords(
  text: AsyncIterable<string>,
  header: string[],
  whole = false,
): AsyncGenerator<FileRecord> {
  const read = jsonColumns(header, whole);
  const scanner = elementScanner();
  let isEmpty = true;
  for await (const chunk of text) {
    for (const { line, json } of scanner.push(chunk)) {
      isEmpty = false;
      yield { line, ...read(json) };
    }
  }
  scanner.end();
  if (isEmpty) throw new Refusal("unprocessable", "empty_file", "The file has no records.");
}

/** `{"leads": [{`, also after numbers such as `"total": 25`. */
const WRAPPED = /^\{\s*(?:"[^"\\]*"\s*:\s*(?:-?[\d.]+|true|false|null)\s*,\s*)*"[^"\\]*"\s*:\s*\[\s*\{/;

/** Returns the format of text that starts like JSON; undefined if it does not. */
export function jsonFormat(start: string): "json" | "ndjson" | undefined {
  const text = start.trimStart();
  if (/^\[\s*(?:\{|\]\s*$)/.test(text)) return "json";
  if (!text.startsWith("{")) return undefined;
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  const next = end < 0 ? "" : text.slice(end).trimStart();
  const values = valuesOf(line);
  // One line with a whole object is a record, unless its first member is a list of objects.
  if (values !== undefined) return next === "" && isList(values[0]) ? "json" : "ndjson";
  const isOpen = line.trimEnd().endsWith("[");
  return (isOpen || !next.startsWith("{")) && WRAPPED.test(text.slice(0, 10_000)) ? "json" : "ndjson";
}

function valuesOf(json: string): unknown[] | undefined {
  try {
    return Object.values(JSON.parse(json) as object);
  } catch {
    return undefined;
  }
}

const isList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof each === "object" && each !== null && !Array.isArray(each)) &&
  namedValues(value) === undefined;
