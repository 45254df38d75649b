/** The parts of a JSON Schema that messages speak about. */
export interface Schema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
}

/** Values that a message lists. */
const MOST_VALUES = 40;

/** Known keys that a message lists; a longer list would hide the unknown one. */
const MOST_KEYS = 12;

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "a JSON object",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "must be a timestamp with its offset, such as 2026-03-31T14:30:00+00:00",
  date: "must be a date, such as 2026-03-31",
  email: "must be an e-mail address",
  uri: "must be a URL",
  uuid: "must be a UUID",
};

const KEY = "must start with a lowercase letter and contain only lowercase letters, digits and underscores";

/** What the patterns of our schemas ask for. */
const PATTERNS: Readonly<Record<string, string>> = {
  "^[a-z][a-z0-9_]*$": KEY,
  "^[a-z][a-z0-9_]{0,59}$": `${KEY}, at most 60 characters`,
  "^[a-z_]+\\.[a-z_]+$": "must be noun.verb in lowercase letters, such as email.opened",
  "^[A-Z]{3}$": "must be three capital letters, such as BRL",
  "^lead_[0-9a-z]*$": "must be the start of a lead's id, such as lead_1",
  "^[A-Za-z0-9_-]*$": "must be base64url (RFC 4648, section 5)",
};

/** The code of a fault by the keyword of JSON Schema that it breaks; no other keyword is in our schemas. */
const CODES: Readonly<Record<string, string>> = {
  ...{ type: "type", required: "required", const: "one_of", enum: "one_of" },
  ...{
    minimum: "range",
    maximum: "range",
    exclusiveMinimum: "range",
    exclusiveMaximum: "range",
    multipleOf: "range",
  },
  ...{ minLength: "too_short", maxLength: "too_long", pattern: "bad_format", format: "bad_format" },
  ...{ minItems: "too_few", maxItems: "too_many", uniqueItems: "repeated" },
  ...{ minProperties: "too_few", maxProperties: "too_many" },
};

/** Returns the code of a fault by the keyword that it breaks. */
export const codeOf = (keyword: string): string => CODES[keyword] ?? "type";

/** What a keyword of a schema wants, as a sentence without its subject: "must be at least 1". */
export function wanted(keyword: string, schema: Schema): string {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, format = "", pattern = "" } = schema;
  const ranged = schema.minimum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  switch (keyword) {
    case "type":
    case "const":
    case "enum":
      return `must be ${shape(schema, false)}`;
    case "minimum":
      return ranged ? `must be between ${minimum} and ${maximum}` : `must be at least ${minimum}`;
    case "maximum":
      return ranged ? `must be between ${minimum} and ${maximum}` : `must be at most ${maximum}`;
    case "exclusiveMinimum":
      return `must be greater than ${schema.exclusiveMinimum}`;
    case "exclusiveMaximum":
      return `must be less than ${schema.exclusiveMaximum}`;
    case "multipleOf":
      return `must be a multiple of ${schema.multipleOf}`;
    case "minLength":
      return schema.minLength === 1
        ? "must not be empty"
        : `must have at least ${many(schema.minLength, "character")}`;
    case "maxLength":
      return `must have at most ${many(schema.maxLength, "character")}`;
    case "minItems":
      return `must have at least ${many(schema.minItems, "item")}`;
    case "maxItems":
      return `must have at most ${many(schema.maxItems, "item")}`;
    case "uniqueItems":
      return "must not have duplicate items";
    case "minProperties":
      return `must have at least ${many(schema.minProperties, "key")}`;
    case "maxProperties":
      return `must have at most ${many(schema.maxProperties, "key")}`;
    case "pattern":
      return PATTERNS[pattern] ?? `must match the pattern ${pattern}`;
    case "format":
      return FORMATS[format] ?? `must be in the format ${format}`;
    default:
      return "is invalid";
  }
}

/** The keys that an object may have, as the end of a sentence; empty where there are none or too many. */
export function allowed({ properties = {} }: Schema): string {
  const keys = Object.keys(properties);
  return keys.length === 0 || keys.length > MOST_KEYS ? "" : `; the known keys are ${keys.join(", ")}`;
}

/** What a value must be: "a string", "one of asc, desc", "a string or null"; with the keys of an object, if asked. */
export function shape(schema: Schema, keyed = true): string {
  const shapes = flat(schema);
  const values = shapes.flatMap(valuesOf);
  const parts = [
    ...(values.length === 0 ? [] : [oneOf(values)]),
    ...new Set(shapes.flatMap((one) => named(one, keyed, values))),
  ];
  return either(parts);
}

/** Values in words, those in quotes that a comma or a blank would blur. */
function oneOf(values: readonly unknown[]): string {
  const more = values.length > MOST_VALUES ? ", …" : "";
  const listed = values.slice(0, MOST_VALUES).map(plain).join(", ");
  return values.length === 1 ? listed : `one of ${listed}${more}`;
}

const plain = (value: unknown): string => {
  const text = String(value);
  return /^[^\s",;|]([^",;|\n]*[^\s",;|])?$/.test(text) ? text : JSON.stringify(text);
};

const flat = (schema: Schema): readonly Schema[] => schema.anyOf?.flatMap(flat) ?? [schema];

const valuesOf = (schema: Schema): readonly unknown[] =>
  schema.enum ?? (schema.const === undefined ? [] : [schema.const]);

/** A schema in words, unless it lists its values. */
function named(schema: Schema, keyed: boolean, values: readonly unknown[]): string[] {
  if (valuesOf(schema).length > 0) return [];
  const words = TYPES[schema.type ?? ""] ?? "valid";
  const keys = Object.keys(schema.properties ?? {});
  if (schema.type === "array" && values.length > 0 && sameValues(schema.items, values))
    return [`${words} of them`];
  return [keyed && keys.length > 0 && keys.length <= MOST_KEYS ? `${words} with ${keys.join(", ")}` : words];
}

const sameValues = (items: Schema = {}, values: readonly unknown[]): boolean =>
  String(flat(items).flatMap(valuesOf)) === String(values);

/** "a", "a or b", "a, b, or c"; with a comma before "or" where a part has one in it. */
function either(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  if (parts.length < 2) return last;
  const comma = parts.length > 2 || parts.some((part) => part.includes(","));
  return `${parts.slice(0, -1).join(", ")}${comma ? "," : ""} or ${last}`;
}

const many = (n: number | undefined, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
