import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import { formBody } from "../../../http/request/body.ts";

/** Form parameters; an empty one counts as left out (RFC 6749 3.2). */
export interface FormParameters {
  get(name: string): string | undefined;
  /** Returns all values of a parameter that may repeat. */
  all(name: string): readonly string[];
  /** Returns the parameter, or throws `invalid_request` if it is missing. */
  need(name: string): string;
}

const invalidRequest = (message: string): Refusal => new Refusal("malformed", "invalid_request", message);

/**
 * Reads the form of an OAuth request. Another content type is `invalid_request`, and so is a repeated parameter that
 * is not in `mayRepeat`.
 */
export function formParameters(request: FastifyRequest, mayRepeat: readonly string[] = []): FormParameters {
  const form = formBody(request);
  if (form === undefined) throw invalidRequest("Send the parameters as application/x-www-form-urlencoded.");
  for (const [name, values] of form) {
    if (values.length > 1 && !mayRepeat.includes(name))
      throw invalidRequest(`A parameter must not be repeated${naming(name)}.`);
  }
  const get = (name: string) => form.get(name)?.[0] || undefined;
  return {
    get,
    all: (name) => form.get(name) ?? [],
    need(name) {
      const value = get(name);
      if (value === undefined) throw invalidRequest(`The parameter ${name} is required.`);
      return value;
    },
  };
}

/** Returns a parameter's name for an error, if all its characters are allowed in error_description (RFC 6749 5.2). */
const naming = (name: string): string => (/^\w{1,40}$/.test(name) ? `: ${name}` : "");
