/** A JSON Schema as plain JSON. */
export type JsonSchema = { [keyword: string]: unknown };

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keywords whose value is a schema by name. */
const BY_NAME = new Set(["properties", "patternProperties", "$defs"]);
/** Keywords whose value is data, not a schema. */
const DATA = new Set(["const", "default", "enum", "example", "examples", "required"]);

/** Collects the named schemas of a document, so that each is written once and referred to. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #begun = new Set<string>();

  /** The named schemas by name, in alphabetical order. */
  schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Returns a schema for the document: what has a name (`$id`), at any depth, becomes a reference to a component.
   * Throws if two different schemas have the same name.
   */
  place(schema: object): JsonSchema {
    const { $id: name, $defs: definitions, ...rest } = schema as JsonSchema;
    if (isObject(definitions)) this.#define(definitions);
    if (typeof rest.$ref === "string") return { ...rest, $ref: refTo(rest.$ref) };
    if (typeof name !== "string") return this.#inner(rest);
    const known = this.#schemas.get(name);
    if (known === undefined && !this.#begun.has(name)) {
      this.#begun.add(name);
      this.#schemas.set(name, this.#inner(rest));
    } else if (known !== undefined && JSON.stringify(this.#inner(rest)) !== JSON.stringify(known)) {
      throw new Error(`two schemas are called ${name}`);
    }
    return { $ref: refTo(name) };
  }

  /** Places definitions that refer to each other by name (TypeBox's Cyclic). */
  #define(definitions: JsonSchema): void {
    for (const [name, definition] of Object.entries(definitions))
      if (isObject(definition)) this.place({ ...definition, $id: name });
  }

  #inner(schema: JsonSchema): JsonSchema {
    const placed: JsonSchema = {};
    for (const [keyword, value] of Object.entries(schema)) placed[keyword] = this.#keyword(keyword, value);
    return withNull(withValues(withAnyName(placed)));
  }

  #keyword(keyword: string, value: unknown): unknown {
    if (DATA.has(keyword)) return value;
    if (BY_NAME.has(keyword) && isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, isObject(inner) ? this.place(inner) : inner]),
      );
    if (Array.isArray(value)) return value.map((inner) => (isObject(inner) ? this.place(inner) : inner));
    return isObject(value) ? this.place(value) : value;
  }
}

const refTo = (name: string): string => (name.startsWith("#/") ? name : `#/components/schemas/${name}`);

/** Writes members of any name as additionalProperties, which all generators of clients know. */
function withAnyName(schema: JsonSchema): JsonSchema {
  const { patternProperties, ...rest } = schema;
  if (!isObject(patternProperties)) return schema;
  const [[pattern, value] = [], ...others] = Object.entries(patternProperties);
  return pattern === "^.*$" && others.length === 0 && rest.additionalProperties === undefined
    ? { ...rest, additionalProperties: value }
    : schema;
}

/** Writes a union of strings as one list of values, and says of each such list that it is of strings. */
function withValues(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const texts = Array.isArray(anyOf) ? anyOf.map((one: JsonSchema) => one.const) : schema.enum;
  if (!Array.isArray(texts) || texts.length === 0 || !texts.every((text) => typeof text === "string"))
    return schema;
  return { type: "string", ...rest, enum: texts };
}

/** Writes "a string or null" as one type list instead of as a union. */
function withNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [first, second] = anyOf as [JsonSchema, JsonSchema];
  const isNull = Object.keys(second).join() === "type" && second.type === "null";
  if (!isNull || typeof first.type !== "string" || first.enum !== undefined || first.const !== undefined)
    return schema;
  return { ...first, ...rest, type: [first.type, "null"] };
}
