import type { TSchema } from "typebox";
import {
  type Answer,
  type Deprecated,
  type Endpoint,
  type HeaderName,
  hasOptionalBody,
  type MediaBody,
  type Refusals,
  type Tag,
} from "../../contract/basics/endpoint.ts";
import { Components, type JsonSchema } from "./components.ts";
import { type DescribedHeader, HEADERS } from "./headers.ts";
import { REASONS, REFUSAL_BODY, refusalHeaders, refusalsOf } from "./refusals.ts";

/** What a document says besides its endpoints. */
export interface DocumentInfo {
  title: string;
  description: string;
  /** The URL of the host. */
  url: string;
  /** The names of tags in order; others follow. */
  tags: readonly string[];
}

/** An OpenAPI 3.1 document. */
export type OpenApi = Record<string, unknown>;

/** Returns the OpenAPI 3.1 document of these endpoints, from which clients can be generated. */
export function openApiDocument(endpoints: readonly Endpoint[], info: DocumentInfo): OpenApi {
  const document = new Document();
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const { url, method } = endpoint;
    paths[url] = { ...paths[url], [method.toLowerCase()]: document.operation(endpoint) };
  }
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  const rank = ({ name }: Tag): number =>
    info.tags.includes(name) ? info.tags.indexOf(name) : info.tags.length;
  return {
    openapi: "3.1.0",
    info: {
      title: info.title,
      version: "1",
      description: info.description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      contact: { name: "The operator of this server", url: info.url },
    },
    servers: [{ url: info.url }],
    tags: tags.sort((a, b) => rank(a) - rank(b)),
    paths,
    components: document.components(),
  };
}

/** Collects what the operations of a document share. */
class Document {
  readonly #components = new Components();
  readonly #headers = new Set<DescribedHeader>();
  readonly #responses = new Map<string, object>();
  #hasIfMatch = false;
  #hasIfNoneMatch = false;
  #hasTags = false;
  #hasKeys = false;

  operation(endpoint: Endpoint): object {
    const { id, tag, summary, description = `${summary}.`, body, deprecated } = endpoint;
    const parameters = this.#parameters(endpoint);
    return {
      operationId: id,
      tags: [tag.name],
      summary,
      description: deprecated === undefined ? description : `${description} ${deprecationText(deprecated)}`,
      ...(deprecated === undefined ? {} : { deprecated: true }),
      security: this.#security(endpoint),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined ? {} : { requestBody: this.#body(body, endpoint) }),
      responses: this.#answers(endpoint),
    };
  }

  components(): object {
    return {
      schemas: this.#components.schemas(),
      responses: Object.fromEntries(this.#responses),
      headers: Object.fromEntries([...this.#headers].sort().map((name) => [name, HEADERS[name]])),
      ...(this.#hasIfMatch || this.#hasTags ? { parameters: this.#conditions() } : {}),
      ...(this.#hasKeys ? { securitySchemes: { key: KEY } } : {}),
    };
  }

  #conditions(): object {
    return {
      ...(this.#hasIfMatch ? { IfMatch: IF_MATCH } : {}),
      ...(this.#hasIfNoneMatch ? { IfNoneMatch: IF_NONE_MATCH } : {}),
      ...(this.#hasTags ? { IfChanged: IF_CHANGED } : {}),
    };
  }

  #security({ needs }: Endpoint): object[] {
    if (needs === undefined) return [];
    this.#hasKeys = true;
    const ways = typeof needs === "string" ? [needs] : needs.length === 0 ? [[]] : needs;
    return ways.map((way) => ({ key: [way].flat() }));
  }

  #parameters(endpoint: Endpoint): object[] {
    const { params, query, ifMatch, ifNoneMatch } = endpoint;
    if (ifMatch === true) this.#hasIfMatch = true;
    if (ifNoneMatch === true) this.#hasIfNoneMatch = true;
    if (hasTag(endpoint)) this.#hasTags = true;
    return [
      ...this.#parametersIn("path", params),
      ...this.#parametersIn("query", query),
      ...(ifMatch === true ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
      ...(ifNoneMatch === true ? [{ $ref: "#/components/parameters/IfNoneMatch" }] : []),
      ...(hasTag(endpoint) ? [{ $ref: "#/components/parameters/IfChanged" }] : []),
    ];
  }

  #parametersIn(place: "path" | "query", schema: TSchema | undefined): object[] {
    const { properties = {}, required = [] } = (schema ?? {}) as {
      properties?: Record<string, object>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...placed } = this.#components.place(property) as JsonSchema;
      return {
        name,
        in: place,
        required: place === "path" || required.includes(name),
        ...(description === undefined ? {} : { description }),
        ...(placed.type === "array" ? { style: "form", explode: false } : {}),
        schema: placed,
      };
    });
  }

  #body(body: TSchema | MediaBody, endpoint: Endpoint): object {
    const { examples } = endpoint;
    const isFile = "types" in body;
    const types = isFile ? body.types : { "application/json": body };
    return {
      required: !hasOptionalBody(endpoint),
      ...(isFile ? { description: body.description } : {}),
      content: Object.fromEntries(
        Object.entries(types).map(([type, schema]) => [
          type,
          {
            schema: this.#components.place(schema),
            ...(isFile || examples === undefined ? {} : { examples: named(examples) }),
          },
        ]),
      ),
    };
  }

  #answers(endpoint: Endpoint): Record<string, object> {
    const changes = endpoint.method === "GET" ? [] : CHANGE;
    const always = endpoint.deprecated === undefined ? COMMON : [...COMMON, ...DEPRECATION];
    const shared = endpoint.needs === undefined ? always : [...always, ...LIMITS, ...LANE, ...changes];
    const tags: DescribedHeader[] = hasTag(endpoint) ? ["BodyTag"] : [];
    const answers = Object.entries(endpoint.answers).map(([status, answer]): [string, object] => [
      status,
      this.#answer(answer, [...tags, ...shared]),
    ]);
    if (hasTag(endpoint)) answers.push(["304", this.#notModified(always)]);
    const refusals = refusalsOf(endpoint).map((status): [string, object] => [
      String(status),
      this.#refusal(status, endpoint),
    ]);
    return Object.fromEntries([...answers, ...refusals]);
  }

  #notModified(always: readonly HeaderName[]): object {
    const name = always === COMMON ? "NotModified" : "DeprecatedNotModified";
    this.#responses.set(name, {
      description: "The client has this answer already: it sent its ETag in If-None-Match. There is no body.",
      headers: this.#headersOf(["BodyTag", ...always, ...LIMITS, ...LANE]),
    });
    return { $ref: `#/components/responses/${name}` };
  }

  #answer(
    { description, schema, types = [], headers = [] }: Answer,
    shared: readonly DescribedHeader[],
  ): object {
    const content = [
      ...(schema === undefined ? [] : [["application/json", { schema: this.#components.place(schema) }]]),
      ...types.map((type) => [type, { schema: FILES[type] ?? TEXT }]),
    ];
    return {
      description,
      headers: this.#headersOf([...headers, ...shared]),
      ...(content.length === 0 ? {} : { content: Object.fromEntries(content) }),
    };
  }

  /** Refusals of a status with the same body are alike for all endpoints, so each is a component. */
  #refusal(status: number, endpoint: Endpoint): object {
    // A late body is reported before its route is known.
    const refusals = status === 408 ? "v1" : endpoint.refusals;
    const own = endpoint.problems?.[status];
    const deprecation = endpoint.deprecated === undefined || status === 408 ? [] : DEPRECATION;
    const kind = own === undefined ? NAMES[refusals] : nameOf(own);
    const name = `${deprecation.length === 0 ? "" : "Deprecated"}${kind}${status}`;
    if (!this.#responses.has(name)) {
      const counted = endpoint.needs === undefined ? [] : [...LIMITS, ...LANE];
      const limits = refusals === "oauth" ? LIMITS : status === 408 ? [] : counted;
      this.#responses.set(name, {
        description: REASONS[status] ?? "",
        headers: this.#headersOf([...refusalHeaders(status, refusals), ...COMMON, ...deprecation, ...limits]),
        content: { "application/json": { schema: this.#components.place(own ?? REFUSAL_BODY[refusals]) } },
      });
    }
    return { $ref: `#/components/responses/${name}` };
  }

  #headersOf(names: readonly DescribedHeader[]): object {
    for (const name of names) this.#headers.add(name);
    return Object.fromEntries(
      names.map((name) => [name === "BodyTag" ? "ETag" : name, { $ref: `#/components/headers/${name}` }]),
    );
  }
}

/** Whether answers have a tag of their body, by which clients may ask again (see http/response/not-modified.ts). */
const hasTag = ({ method, refusals, answers: { 200: answer } }: Endpoint): boolean =>
  method === "GET" &&
  refusals !== "oauth" &&
  answer?.schema !== undefined &&
  answer.headers?.includes("ETag") !== true;

const COMMON: readonly HeaderName[] = ["X-Request-Id"];
const DEPRECATION: readonly HeaderName[] = ["Deprecation", "Sunset", "Link"];
const LIMITS: readonly HeaderName[] = ["RateLimit", "RateLimit-Policy"];
const CHANGE: readonly HeaderName[] = ["X-Leadgate-Change"];
const LANE: readonly HeaderName[] = ["X-Leadgate-Lane"];
const NAMES: Readonly<Record<Refusals, string>> = { v1: "Problem", current: "SimpleProblem", oauth: "OAuth" };

const TEXT = { type: "string" };
const LINES = { type: "string", description: "One JSON object on each line." };
const FILES: Readonly<Record<string, object>> = { "application/x-ndjson": LINES, "application/json": {} };

const KEY = {
  type: "http",
  scheme: "bearer",
  description: "An API key (lgk_…) of the project; the roles are the permissions that it needs.",
};

const IF_MATCH = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "The version that the change is based on: refused with 412 if the record has another one. * accepts every version, " +
    "several may be listed, and a weak tag (W/) matches none.",
  schema: { type: "string" },
  example: '"3"',
};

const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "*: refused with 412 if the record exists already.",
  schema: { type: "string", enum: ["*"] },
};

const IF_CHANGED = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The ETag of an earlier answer: 304 without a body if the answer is still the same.",
  schema: { type: "string" },
};

const deprecationText = ({ since, sunset, instead }: Deprecated): string =>
  `Deprecated since ${since}: use ${instead} instead. It will be removed after ${sunset}.`;

/** The name of a schema that has one. */
const nameOf = (schema: TSchema): string => String((schema as { $id?: string }).$id);

const named = (examples: Readonly<Record<string, unknown>>): Record<string, object> =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
