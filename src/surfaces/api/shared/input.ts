import type { FastifyRequest } from "fastify";
import { type Endpoint, hasOptionalBody } from "../../../contract/basics/endpoint.ts";
import { malformed, Refusal } from "../../../core/refusal.ts";
import type { Credential } from "../../../domain/tenancy/credential.ts";
import { bad } from "../../../domain/values/bad-input.ts";
import { hasBody, jsonBody, parametersOf } from "../../../http/request/body.ts";

/** Returns a body without its `project_id`, which must be the key's project: operations never receive it. */
export function ownProject(body: unknown, caller: Credential): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw malformed([{ path: "$", code: "type", message: "must be a JSON object" }]);
  }
  const { project_id: projectId, ...input } = body as Record<string, unknown>;
  if (projectId === undefined) {
    throw malformed([{ path: "$.project_id", code: "required", message: "is required" }]);
  }
  if (typeof projectId !== "string") {
    throw malformed([{ path: "$.project_id", code: "type", message: "must be a string" }]);
  }
  if (projectId !== caller.projectId) {
    throw new Refusal("forbidden", "foreign_project", "This API key does not reach that project.");
  }
  return input;
}

/**
 * Returns the JSON body of a call that takes no query parameters, and with it what the path says, whose names are unknown
 * keys of the body. No body is `{}` if the endpoint requires no member. An optional `project_id` must be the key's.
 */
export function bodyOf(
  request: FastifyRequest,
  caller: Credential,
  endpoint: Endpoint,
  path: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  readQuery(request, caller, {});
  const input = membersOf(request, caller, hasOptionalBody(endpoint));
  refuseKeys(input, Object.keys(path));
  return { ...input, ...path };
}

function membersOf(request: FastifyRequest, caller: Credential, mayLack: boolean): Record<string, unknown> {
  const body = mayLack && !hasBody(request) ? {} : jsonBody(request);
  if (typeof body !== "object" || body === null || Array.isArray(body))
    bad("$", "type", "must be a JSON object");
  const { project_id: projectId, ...input } = body as Record<string, unknown>;
  checkProject(projectId, caller);
  return input;
}

function refuseKeys(input: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const faults = names.filter((name) => name in input).map((name) => ({ path: `$.${name}`, ...UNKNOWN }));
  if (faults.length > 0) throw malformed(faults.slice(0, MOST_FAULTS));
}

const UNKNOWN = { code: "unknown_key", message: "is not a known key" };
const MOST_FAULTS = 20;

/**
 * How a query parameter is written: verbatim, as an integer, as true or false, as a comma-separated list, or
 * as a timestamp, in which a space counts as an unescaped `+`.
 */
type Written = "text" | "integer" | "boolean" | "list" | "moment";

/**
 * Returns the query parameters of a call, read as its endpoint describes them. Unknown ones are refused: a typo
 * must not widen the result. So is every key of a body that the endpoint does not take.
 */
export function queryOf(
  request: FastifyRequest,
  caller: Credential,
  endpoint: Endpoint,
): Record<string, unknown> {
  if (endpoint.body === undefined && hasBody(request)) {
    const input = membersOf(request, caller, true);
    refuseKeys(input, Object.keys(input));
  }
  return readQuery(request, caller, kindsOf(endpoint));
}

function readQuery(
  request: FastifyRequest,
  caller: Credential,
  kinds: Readonly<Record<string, Written>>,
): Record<string, unknown> {
  const url = request.raw.url ?? "";
  const cut = url.indexOf("?");
  const input: Record<string, unknown> = {};
  for (const [name, values] of parametersOf(cut < 0 ? "" : url.slice(cut + 1))) {
    const [value = ""] = values;
    const path = `$.${name.slice(0, 60)}`;
    if (values.length > 1) bad(path, "repeated", "must not be given more than once");
    if (name === "project_id") checkProject(value, caller);
    else
      input[name] = readValue(
        value,
        kinds[name] ??
          bad(
            path,
            "unknown_key",
            `is not a known parameter; the known parameters are ${[...Object.keys(kinds), "project_id"].join(", ")}`,
          ),
        path,
      );
  }
  return input;
}

const kindsByEndpoint = new WeakMap<Endpoint, Readonly<Record<string, Written>>>();

/** Returns how each parameter of an endpoint's query is written. */
function kindsOf(endpoint: Endpoint): Readonly<Record<string, Written>> {
  let kinds = kindsByEndpoint.get(endpoint);
  if (kinds === undefined) {
    const { properties = {} } = (endpoint.query ?? {}) as { properties?: Record<string, Parameter> };
    kinds = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, kindOf(schema)]));
    kindsByEndpoint.set(endpoint, kinds);
  }
  return kinds;
}

interface Parameter {
  type?: string;
  format?: string;
  anyOf?: readonly Parameter[];
}

function kindOf({ type, format, anyOf = [] }: Parameter): Written {
  if (type === "integer" || type === "boolean") return type;
  if (type === "array") return "list";
  return format === "date-time" || anyOf.some((one) => one.format === "date-time") ? "moment" : "text";
}

function readValue(value: string, kind: Written, path: string): unknown {
  if (kind === "text") return value;
  if (kind === "moment") return value.replace(/ (\d\d:?\d\d)$/, "+$1");
  if (kind === "list") return value === "" ? [] : value.split(",");
  if (kind === "boolean")
    return { true: true, false: false }[value] ?? bad(path, "type", "must be true or false");
  return /^-?\d{1,15}$/.test(value) ? Number(value) : bad(path, "type", "must be an integer");
}

function checkProject(projectId: unknown, caller: Credential): void {
  if (projectId === undefined || projectId === caller.projectId) return;
  if (typeof projectId !== "string") bad("$.project_id", "type", "must be a string");
  throw new Refusal("forbidden", "foreign_project", "This API key does not reach that project.");
}

/** Returns a path parameter by name. */
export const pathOf = (request: FastifyRequest, name: string): string =>
  String((request.params as Record<string, unknown>)[name]);
