import type { Static, TSchema } from "typebox";
import type { Permission } from "../../core/permission.ts";

/** The HTTP methods of endpoints. */
export type EndpointMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Response headers that are described once, in http/openapi/headers.ts. */
export type HeaderName =
  | "Content-Disposition"
  | "Deprecation"
  | "ETag"
  | "Link"
  | "Location"
  | "RateLimit"
  | "RateLimit-Policy"
  | "Retry-After"
  | "Sunset"
  | "WWW-Authenticate"
  | "X-Leadgate-Change"
  | "X-Leadgate-Lane"
  | "X-Leadgate-Outcome"
  | "X-Leadgate-Warning"
  | "X-Request-Id";

/** A successful answer: a JSON value, a file, or nothing. */
export interface Answer<S extends TSchema = TSchema> {
  description: string;
  /** The schema of a JSON answer. */
  schema?: S;
  /** The media types of an answer that is not JSON, without parameters. */
  types?: readonly string[];
  /** Headers that every such answer has, besides those of all answers. */
  headers?: readonly HeaderName[];
}

/** A request body that is not JSON: the schema of each media type. */
export interface MediaBody {
  types: Readonly<Record<string, TSchema>>;
  description: string;
}

/** That an endpoint will be removed, and when; docs/operate/versions.md has the rules. */
export interface Deprecated {
  /** The day from which on new clients should not use it: `2026-12-01` (UTC). */
  since: string;
  /** The day before which it is not removed, at least a year later. */
  sunset: string;
  /** What to call instead: `POST /api/v1/changes/{id}/undo`. */
  instead: string;
}

/** A chapter of /openapi.json. */
export interface Tag {
  name: string;
  description: string;
}

/** The chapter of the endpoints without a version. */
export const CURRENT: Tag = {
  name: "current",
  description: "The endpoints without a version. Their shape never changes.",
};

/** How an endpoint reports refusals. */
export type Refusals = "v1" | "current" | "oauth";

/** One method of one URL, as /openapi.json describes it, routes serve it, and the panel calls it. */
export interface Endpoint {
  /** The operationId: reads as a method of a client, unique, and never changed once published. */
  id: string;
  method: EndpointMethod;
  /** The URL with its parameters in braces: `/api/v1/leads/{id}`. */
  url: string;
  tag: Tag;
  summary: string;
  description?: string;
  /**
   * What the API key must be permitted; one of several is enough, and one that is a list needs all of it. An empty list
   * is any valid credential. Without `needs`, no credential is needed.
   */
  needs?: Permission | readonly (Permission | readonly Permission[])[];
  refusals: Refusals;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema | MediaBody;
  /** Examples of the body by name; the first is the one that documents show. */
  examples?: Readonly<Record<string, unknown>>;
  /** Whether If-Match with a version is heeded; a versioned endpoint that writes refuses it otherwise. */
  ifMatch?: true;
  /** The same of `If-None-Match: *`, which means that there is no such record yet. */
  ifNoneMatch?: true;
  /** Successful answers by status. */
  answers: Readonly<Record<number, Answer>>;
  /** The statuses of refusals besides those that come everywhere (see http/openapi/refusals.ts). */
  refused?: readonly number[];
  /** Set on an endpoint that will be removed. */
  deprecated?: Deprecated;
  /** The schemas of refusals whose body says more than others of their status. */
  problems?: Readonly<Record<number, TSchema>>;
}

/** Declares an endpoint; its literal types are kept, so that callers can be typed by it. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared;

/** Whether no body is as good as `{}`: it is JSON of which no member is required. */
export const hasOptionalBody = ({ body }: Pick<Endpoint, "body">): boolean =>
  body !== undefined && "properties" in body && !("required" in body);

/** A JSON answer. */
export const json = <S extends TSchema, const H extends readonly HeaderName[] = []>(
  schema: S,
  description: string,
  headers?: H,
): { schema: S; description: string; headers: readonly HeaderName[] } => ({
  schema,
  description,
  headers: headers ?? [],
});

/** An answer that is a file of one of these media types. */
export const file = (
  types: readonly string[],
  description: string,
  headers: readonly HeaderName[] = [],
): Answer => ({
  types,
  description,
  headers: ["Content-Disposition", ...headers],
});

/** An answer without a body. */
export const nothing = (description: string): Answer => ({ description });

type Success = 200 | 201 | 202;

/** The JSON of a successful answer; undefined for an endpoint without one. */
export type AnswerOf<E extends Endpoint> = {
  [S in keyof E["answers"] & Success]: E["answers"][S] extends { schema: infer T extends TSchema }
    ? Static<T>
    : never;
}[keyof E["answers"] & Success] extends infer A
  ? [A] extends [never]
    ? undefined
    : A
  : never;

/** The JSON body of an endpoint's request; undefined for an endpoint without one. */
export type BodyOf<E extends Endpoint> = E extends { body: infer B extends TSchema } ? Static<B> : undefined;

/** The query parameters of an endpoint. */
export type QueryOf<E extends Endpoint> = E extends { query: infer Q extends TSchema }
  ? Static<Q>
  : Record<never, never>;
