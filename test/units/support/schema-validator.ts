import { Ajv2020 } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";

/** Names stay only in `$defs`, where references find them; elsewhere one schema may have the same name twice. */
function withoutNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNames);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $id: _, $defs, ...rest } = schema as { $id?: string; $defs?: Record<string, object> };
  const entries = Object.entries(rest).map(([key, value]) => [key, withoutNames(value)]);
  const named = Object.entries($defs ?? {}).map(([$id, inner]) => [
    $id,
    { ...(withoutNames(inner) as object), $id },
  ]);
  return Object.fromEntries(
    named.length === 0 ? entries : [...entries, ["$defs", Object.fromEntries(named)]],
  );
}

/** Returns a check of values against a schema by another implementation of JSON Schema 2020-12 than ours. */
export function validatorOf(schema: TSchema): (value: unknown) => boolean {
  const validate = new Ajv2020({ strict: true }).compile(withoutNames(schema) as object);
  return (value) => validate(value);
}
