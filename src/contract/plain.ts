import { type TSchema, Type } from "typebox";

const anything = Type.Unknown();
const name = Type.String({ maxLength: 200 });

/** Parts that other code reads, whose refusals name the project's fields and the JSON path. */
const READ_LATER: Readonly<Record<string, TSchema>> = {
  ...{ Filter: anything, RowFilter: anything },
  ...{ FieldName: name, ScalarFieldName: name, SortFieldName: name, GroupFieldName: name },
  IncludeName: Type.String({ maxLength: 100 }),
};

/**
 * Returns the schema without names and examples, and without what is checked when it is read: filters may be
 * anything, and names of fields any string. Operations check inputs with it, and MCP publishes it.
 */
export const plain = (schema: TSchema): TSchema => plainPart(schema) as TSchema;

function plainPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(plainPart);
  if (typeof part !== "object" || part === null) return part;
  const { $id, $ref, $defs: _, ...rest } = part as Record<string, unknown>;
  const later = READ_LATER[String($id ?? $ref)];
  if (later !== undefined) return later;
  const kept = Object.entries(rest).filter(([key, inner]) => key !== "examples" || !Array.isArray(inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, plainPart(inner)]));
}
