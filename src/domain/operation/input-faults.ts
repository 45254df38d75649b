import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Fault } from "../../core/refusal.ts";
import { allowed, codeOf, type Schema, shape, wanted } from "./schema-words.ts";

interface SchemaError {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
}

/** A schema inside a schema, and the value that it is about. */
interface Place {
  schema: Schema;
  schemaPath: string;
  instancePath: string;
  value: unknown;
}

const MOST = 20;

/** Compiles a schema once; the function it returns lists the faults of an input, none if it fits. */
export function faultFinder(schema: TSchema): (input: unknown) => Fault[] {
  const check = Compile(schema);
  return (input) => (check.Check(input) ? [] : faultsOf(schema, check.Errors(input), input));
}

/** The validator's errors as faults with JSON paths (`$.sort[0].field`), each unknown key named. */
function faultsOf(schema: TSchema, errors: readonly SchemaError[], input: unknown): Fault[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return [{ path: "$", code: "type", message: "must be a JSON object" }];
  }
  const place = { schema: schema as Schema, schemaPath: "#", instancePath: "", value: input };
  const faults = faultsAt(place, errors);
  return faults.filter((fault, i) => faults.findIndex((other) => same(other, fault)) === i).slice(0, MOST);
}

const same = (a: Fault, b: Fault): boolean => a.path === b.path && a.message === b.message;

/** The faults below a place; the errors of one union are said together. */
function faultsAt(from: Place, errors: readonly SchemaError[]): Fault[] {
  const faults: Fault[] = [];
  const said = new Set<string>();
  for (const error of errors) {
    const place = placeOf(from, error);
    if (place.schema.anyOf === undefined) {
      faults.push(...faultsOfError(error, place.schema));
      continue;
    }
    const key = `${place.schemaPath} ${place.instancePath}`;
    if (said.has(key)) continue;
    said.add(key);
    faults.push(
      ...faultsOfUnion(
        place,
        errors.filter((other) => isWithin(other, place)),
      ),
    );
  }
  return faults;
}
const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** Converts a JSON Pointer (RFC 6901) to a dotted path. */
function jsonPath(pointer: string): string {
  const parts = pointer.split("/").slice(1);
  return parts.reduce((path, part) => {
    const key = unescaped(part);
    return /^\d+$/.test(key) ? `${path}[${key}]` : `${path}.${key}`;
  }, "$");
}

/** The schema that an error is about, or the first union on the way to it. */
function placeOf(from: Place, error: SchemaError): Place {
  let { schema, schemaPath, instancePath, value } = from;
  const deeper = error.schemaPath.slice(schemaPath.length).split("/").slice(1);
  const keys = error.instancePath.slice(instancePath.length).split("/").slice(1);
  while (deeper.length > 0 && schema.anyOf === undefined) {
    const inner = step(schema, deeper);
    if (inner === undefined) break;
    const [key = ""] = keys.splice(0, 1);
    schemaPath += `/${deeper.splice(0, inner.steps).join("/")}`;
    instancePath += `/${key}`;
    value = valueIn(value, key);
    schema = inner.schema;
  }
  return { schema, schemaPath, instancePath, value };
}

/** The schema of a property or item, and how many steps of the schema's path lead to it. */
function step(
  schema: Schema,
  [keyword = "", name = ""]: string[],
): { schema: Schema; steps: number } | undefined {
  if (keyword === "items" && schema.items !== undefined) return { schema: schema.items, steps: 1 };
  if (keyword !== "properties" && keyword !== "patternProperties") return undefined;
  const inner = schema[keyword]?.[name];
  return inner === undefined ? undefined : { schema: inner, steps: 2 };
}

const valueIn = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[unescaped(key)]
    : undefined;

const isWithin = ({ schemaPath, instancePath }: SchemaError, place: Place): boolean =>
  isBelow(schemaPath, place.schemaPath) && isBelow(instancePath, place.instancePath);

const isBelow = (path: string, top: string): boolean => path === top || path.startsWith(`${top}/`);

/** One fault that names every shape of a union, and the faults in the shape that was meant, where only one can be. */
function faultsOfUnion(place: Place, errors: readonly SchemaError[]): Fault[] {
  const shapes = shapesOf(place).filter(({ schema }) => isMeant(schema, place.value));
  const [meant] = shapes.length === 1 ? shapes : [];
  const inner =
    meant === undefined ? [] : errors.filter((error) => isBelow(error.schemaPath, meant.schemaPath));
  const faults = meant === undefined ? [] : faultsAt(meant, inner);
  const [first] = errors;
  if (first === undefined || first === inner[0]) return faults;
  const message = `must be ${shape(place.schema)}`;
  return [{ path: jsonPath(place.instancePath), code: codeOf(first.keyword), message }, ...faults];
}

/** The shapes of a union, those of a union in it among them. */
function shapesOf(place: Place): Place[] {
  if (place.schema.anyOf === undefined) return [place];
  return place.schema.anyOf.flatMap((schema, i) =>
    shapesOf({ ...place, schema, schemaPath: `${place.schemaPath}/anyOf/${i}` }),
  );
}

/** Whether a value is of a schema's type, and the schema leaves room for more than one value. */
function isMeant({ type, const: only, enum: values }: Schema, value: unknown): boolean {
  if (only !== undefined || values !== undefined) return false;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (type === "integer") return typeof value === "number";
  return type === typeof value;
}

/** One error of the validator as faults. */
function faultsOfError({ keyword, instancePath, params }: SchemaError, schema: Schema): Fault[] {
  const path = jsonPath(instancePath);
  if (keyword === "additionalProperties") return [];
  if (keyword === "boolean") {
    return [{ path, code: "unknown_key", message: `is not a known key${allowed(schema)}` }];
  }
  if (keyword !== "required") return [{ path, code: codeOf(keyword), message: wanted(keyword, schema) }];
  const { requiredProperties: missing = [] } = params as { requiredProperties?: string[] };
  return missing.map((key) => ({ path: `${path}.${key}`, code: codeOf(keyword), message: "is required" }));
}
