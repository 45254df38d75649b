import type { Schema } from "./closed.ts";

/** An OpenAPI document, as far as the check reads it. */
export interface Document {
  paths: Record<string, Record<string, unknown>>;
  components?: {
    schemas?: Record<string, unknown>;
    responses?: Record<string, unknown>;
    headers?: Record<string, unknown>;
  };
}

interface Header {
  required?: boolean;
  schema?: Schema;
}

export interface Described {
  headers: Record<string, Header>;
  /** By media type in lower case, without parameters. */
  content: Record<string, { schema?: Schema }>;
}

export interface DocumentedRoute {
  method: string;
  /** The path as in the document. */
  path: string;
  /** By status: `200`, `4XX` or `default`. */
  answers: Record<string, Described>;
}

const METHODS = new Set(["get", "post", "put", "patch", "delete", "head", "options"]);

/** Returns the routes of a document, with references to its answers and headers resolved. */
export function routesOf(document: Document): DocumentedRoute[] {
  const resolved = <T>(kind: "responses" | "headers", value: unknown): T => {
    const { $ref } = value as { $ref?: string };
    const name = $ref?.split("/").at(-1);
    return (name === undefined ? value : document.components?.[kind]?.[name]) as T;
  };
  const described = (value: unknown): Described => {
    const { headers = {}, content = {} } = resolved<Partial<Described>>("responses", value);
    return {
      headers: mapped(
        headers,
        (name) => name.toLowerCase(),
        (header) => resolved<Header>("headers", header),
      ),
      content: mapped(content, mediaType, (media) => media),
    };
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): DocumentedRoute[] => {
      if (!METHODS.has(method)) return [];
      const { responses = {} } = operation as { responses?: Record<string, unknown> };
      return [
        { method: method.toUpperCase(), path, answers: mapped(responses, (status) => status, described) },
      ];
    }),
  );
}

/** Returns a media type in lower case, without parameters. */
export const mediaType = (value: string): string => (value.split(";", 1)[0] ?? "").trim().toLowerCase();

const mapped = <From, To>(
  record: Record<string, From>,
  key: (name: string) => string,
  to: (value: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [key(name), to(value)]));
