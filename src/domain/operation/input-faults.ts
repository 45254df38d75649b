import { type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { Fault } from "../../core/refusal.ts";

/** The language of the texts in a response. */
export const LocaleInput = Type.Union([Type.Literal("en"), Type.Literal("pt-BR")], {
  description: "The language of labels and sentences; English where left out.",
});

interface SchemaError {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}

const MOST = 20;

/** The most values that a message lists. */
const MOST_VALUES = 40;

/** Compiles a schema into a function that returns the faults of an input, or an empty list. */
export function faultFinder(schema: TSchema): (input: unknown) => Fault[] {
  const check = Compile(schema);
  return (input) => (check.Check(input) ? [] : faultsOf(check.Errors(input), input));
}

/** The validator's errors as faults with JSON paths (`$.sort[0].field`), with one fault for each unknown key. */
function faultsOf(errors: readonly SchemaError[], input: unknown): Fault[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return [{ path: "$", code: "type", message: "must be a JSON object" }];
  }
  const faults: Fault[] = [];
  for (const error of errors) {
    const path = jsonPath(error.instancePath);
    if (error.keyword === "boolean") {
      faults.push({ path, code: "unknown_key", message: "is not a known key" });
    } else if (error.keyword === "required") {
      for (const key of (error.params as { requiredProperties?: string[] }).requiredProperties ?? []) {
        faults.push({ path: `${path}.${key}`, code: "required", message: "is required" });
      }
    } else if (error.keyword === "enum") {
      faults.push({ path, code: "enum", message: oneOf(error.params) });
    } else if (error.keyword !== "additionalProperties") {
      faults.push({ path, code: error.keyword, message: error.message });
    }
  }
  return faults.slice(0, MOST);
}

/** The allowed values as a message. */
function oneOf({ allowedValues: all = [] }: { allowedValues?: unknown[] }): string {
  const more = all.length > MOST_VALUES ? ", …" : "";
  return `must be one of ${all.slice(0, MOST_VALUES).join(", ")}${more}`;
}

/** Converts a JSON Pointer (RFC 6901) to a dotted path. */
function jsonPath(pointer: string): string {
  const parts = pointer.split("/").slice(1);
  return parts.reduce((path, part) => {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^\d+$/.test(key) ? `${path}[${key}]` : `${path}.${key}`;
  }, "$");
}
