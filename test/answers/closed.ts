/** A JSON Schema, as far as the check reads it. */
export type Schema = boolean | { [keyword: string]: unknown };

/** Ends the name of the component that leaves room for what stands next to a reference to it. */
const OPEN = ".open";
const COMPONENT = "#/components/schemas/";

/**
 * Returns a schema in which objects may only have the members that are described: those that list members and say
 * nothing about others are closed. References name components (`Lead`), each of which has an open copy
 * (`Lead.open`) for where other keywords describe more members of the same object.
 */
export function closed(schema: unknown): Schema {
  if (typeof schema !== "object" || schema === null) return schema === true || schema === undefined;
  const own = schema as Record<string, unknown>;
  const branches = ["anyOf", "oneOf"].filter((keyword) => Array.isArray(own[keyword]));
  const refers = typeof own.$ref === "string";
  const isShared =
    own.allOf !== undefined || own.if !== undefined || (own.properties !== undefined && branches.length > 0);
  const combines = isShared || (refers && own.properties !== undefined) || (refers && branches.length > 0);
  const inner = within(own, combines ? opened : closed);
  const saysNothing = own.additionalProperties === undefined && own.unevaluatedProperties === undefined;
  if (saysNothing && (combines || own.properties !== undefined)) inner.unevaluatedProperties = false;
  return inner;
}

/** Returns the same for a part of a description of an object, which is closed by the whole. */
function opened(schema: unknown): Schema {
  if (typeof schema !== "object" || schema === null) return schema === true || schema === undefined;
  const inner = within(schema as Record<string, unknown>, opened);
  if (typeof inner.$ref === "string") inner.$ref += OPEN;
  return inner;
}

/** Returns all components under the names that references have, closed and open. */
export const components = (schemas: Record<string, unknown>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => [
      [name, closed(schema)],
      [`${name}${OPEN}`, opened(schema)],
    ]),
  );

/** Keywords whose schemas describe the same value; all others describe its members or items. */
const SAME_VALUE = new Set(["allOf", "anyOf", "oneOf", "if", "then", "else"]);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAPS = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);
const SINGLE = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "contains",
  "propertyNames",
  "if",
  "then",
  "else",
]);

function within(schema: Record<string, unknown>, same: (part: unknown) => Schema): Record<string, unknown> {
  const inner: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const part = SAME_VALUE.has(keyword) ? same : closed;
    if (keyword === "$id") continue;
    if (keyword === "$ref") inner.$ref = componentOf(String(value));
    else if (LISTS.has(keyword) && Array.isArray(value)) inner[keyword] = value.map(part);
    else if (MAPS.has(keyword)) inner[keyword] = mapped(value as object);
    else inner[keyword] = SINGLE.has(keyword) ? part(value) : value;
  }
  return inner;
}

const mapped = (schemas: object): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));

function componentOf(reference: string): string {
  const name = reference.startsWith(COMPONENT) ? reference.slice(COMPONENT.length) : "";
  if (!/^\w[\w.-]*$/.test(name)) throw new Error(`${reference} is not a component of the document`);
  return name;
}
