import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { type Addressed, addresses } from "./address.ts";
import { closed, components, type Schema } from "./closed.ts";
import { type Described, type Document, type DocumentedRoute, mediaType, routesOf } from "./documented.ts";

/** An answer of the service; `body` is undefined where it was not read. */
export interface Answer {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  body?: string;
}

/** Something about an answer that is not as described. */
interface Lie {
  /** `/leads/0/value must be string`. */
  what: string;
  /** The value there, shortened. */
  sample: string;
}

/** What the check of an answer found. */
export interface Checked {
  /** Which documented answer it is: `GET /api/v1/leads/{id}: 200`. */
  answer: string;
  lies: Lie[];
}

/** Checks answers against documents. */
export interface Checker {
  /** Whether answers to such a request are described. */
  describes(method: string, path: string): boolean;
  /** Checks an answer; undefined if no document describes its address. */
  check(answer: Answer): Checked | undefined;
  /** All documented answers: `GET /api/v1/leads/{id}: 200`. */
  all(): string[];
}

/** Headers that are part of the contract: described wherever they are sent. */
const OURS =
  /^(etag|link|location|deprecation|sunset|retry-after|ratelimit|ratelimit-policy|content-disposition|www-authenticate|x-request-id|x-leadgate-.*)$/;
/** What the service answers at addresses without a route. */
const REFUSED = new Set([400, 404, 405, 408, 413, 414, 431, 503]);
const NOTHING_HERE = "There is nothing at this URL.";
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/;

/** Returns a checker of the answers that the documents describe. */
export function checkerOf(documents: Record<string, Document>): Checker {
  const routes = Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [name, routesOf(document)]),
  );
  const find = addresses(routes);
  const validators = Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [name, validatorsOf(document)]),
  );
  const faultsOf = (document: string, schema: Schema, value: unknown): Fault[] =>
    validators[document]?.(schema, value) ?? [];

  const bodyFaults = (document: string, described: Described, answer: Answer): Fault[] => {
    const { method, headers, body } = answer;
    if (method === "HEAD") return [];
    const types = Object.keys(described.content);
    const sent = headers.get("content-type");
    if (types.length === 0) return body ? [["", "has a body, none is described", body]] : [];
    if (sent === null) return [["", `has no media type, described are ${types.join(", ")}`, body ?? ""]];
    const type = mediaType(sent);
    const media = described.content[type];
    if (media === undefined)
      return [["", `has the media type ${type}, described are ${types.join(", ")}`, ""]];
    const { schema } = media;
    if (body === undefined || schema === undefined || !/[/+]json$/.test(type)) return [];
    const value = parsed(body);
    return value === undefined ? [["", "is not JSON", body]] : faultsOf(document, schema, value);
  };

  const headerFaults = (
    document: string,
    { headers: described }: Described,
    { headers }: Answer,
  ): Fault[] => [
    ...Object.entries(described).flatMap(([name, { required, schema }]): Fault[] => {
      const value = headers.get(name);
      if (value === null) return required === true ? [["", `lacks the header ${name}`, ""]] : [];
      const faults = schema === undefined ? [] : faultsOf(document, schema, headerValue(schema, value));
      return faults.map(([, message]) => ["", `has a header ${name} that ${message}`, value]);
    }),
    ...[...headers].flatMap(([name, value]): Fault[] =>
      OURS.test(name) && described[name] === undefined
        ? [["", `has the header ${name}, which is not described`, value]]
        : [],
    ),
  ];

  const routeFaults = (at: Addressed & { kind: "route" }, answer: Answer): Fault[] => {
    const described = answerOf(at.route, answer.status);
    // A person may not be a member of the project in the address; a key always names its own.
    if (at.isPanel && answer.status === 404 && described === undefined)
      return bodyFaults(at.document, problem("Problem"), answer);
    if (described === undefined) {
      const known = Object.keys(at.route.answers).join(", ");
      return [["", `is not a described status, described are ${known}`, answer.body ?? ""]];
    }
    // The panel is refused in the dialect of the versioned endpoints everywhere.
    const isPanelRefusal = at.isPanel && answer.status >= 400;
    const shape = isPanelRefusal ? problem("Problem") : described;
    return [...headerFaults(at.document, described, answer), ...bodyFaults(at.document, shape, answer)];
  };

  const refusalFaults = (at: Addressed & { kind: "refused" }, answer: Answer): Fault[] =>
    REFUSED.has(answer.status)
      ? bodyFaults(at.document, problem(at.refusal), answer)
      : [["", "is not an answer of an unknown address", answer.body ?? ""]];

  return {
    describes: (method, path) => find(method, path) !== undefined,
    all: () => Object.values(routes).flatMap((of) => of.flatMap(answersOf)),
    check(answer) {
      const { method, path, status } = answer;
      const at = find(method, path);
      // Workers and the other host do not serve the route.
      if (at === undefined || (at.kind === "route" && answer.body?.includes(NOTHING_HERE))) return undefined;
      const name = at.kind === "route" ? `${at.route.method} ${at.route.path}` : `${method} elsewhere`;
      const faults = at.kind === "route" ? routeFaults(at, answer) : refusalFaults(at, answer);
      const lies = faults.map(([place, message, value]) => ({
        what: `${place} ${message}`.trim(),
        sample: sampleOf(value),
      }));
      return { answer: `${name}: ${status}`, lies };
    },
  };
}

/** What is wrong with a body, at which path, and the value there. */
type Fault = readonly [path: string, message: string, value: unknown];

const answerOf = ({ answers }: DocumentedRoute, status: number): Described | undefined =>
  answers[status] ?? answers[`${Math.floor(status / 100)}XX`] ?? answers.default;

const answersOf = ({ method, path, answers }: DocumentedRoute): string[] =>
  Object.keys(answers).map((status) => `${method} ${path}: ${status}`);

const problem = (name: string): Described => ({
  headers: {},
  content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
});

/** Returns a function that validates values; each schema is compiled once, when it is needed. */
function validatorsOf(document: Document): (schema: Schema, value: unknown) => Fault[] {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema, value) => {
    ajv ??= ready(document);
    const validate = compiled.get(schema) ?? ajv.compile(closed(schema));
    compiled.set(schema, validate);
    return validate(value) ? [] : faultsIn(validate.errors ?? [], value);
  };
}

function ready({ components: { schemas = {} } = {} }: Document): Ajv2020 {
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true, verbose: true, logger: false, inlineRefs: false },
    // Each test process compiles the schemas it needs; the document itself is checked by tests of its own.
    ...{ meta: false, validateSchema: false, code: { optimize: false } },
  });
  formats.default(ajv);
  ajv.addFormat("date-time", UTC);
  for (const [name, schema] of Object.entries(components(schemas))) ajv.addSchema(schema, name);
  return ajv;
}

/** At most five faults: a value that fits none of several shapes has one for each. */
function faultsIn(errors: readonly ErrorObject[], value: unknown): Fault[] {
  const exact = errors.filter(({ keyword }) => keyword !== "anyOf" && keyword !== "oneOf");
  return (exact.length === 0 ? errors : exact)
    .slice(0, 5)
    .map(({ instancePath, message = "", params, data }) => [
      instancePath,
      `${message}${detailOf(params)}`,
      data ?? value,
    ]);
}

function detailOf(params: Record<string, unknown>): string {
  const named =
    params.unevaluatedProperty ?? params.additionalProperty ?? params.allowedValues ?? params.allowedValue;
  return named === undefined ? "" : `: ${JSON.stringify(named)}`;
}

/** A header's value as its schema has it: a string, or a number in digits. */
const headerValue = (schema: Schema, value: string): string | number =>
  typeof schema === "object" && schema.type === "integer" && /^\d+$/.test(value) ? Number(value) : value;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sampleOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
