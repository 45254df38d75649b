import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import { formBody } from "../../../http/request/body.ts";

/** Form parameters without repetitions; an empty one counts as left out (RFC 6749 3.2). */
export interface FormParameters {
  get(name: string): string | undefined;
  /** Returns the parameter, or throws `invalid_request` if it is missing. */
  need(name: string): string;
}

const invalidRequest = (message: string): Refusal => new Refusal("malformed", "invalid_request", message);

/** Reads the form of an OAuth request; another content type or a repeated parameter is `invalid_request`. */
export function formParameters(request: FastifyRequest): FormParameters {
  const form = formBody(request);
  if (form === undefined) throw invalidRequest("Send the parameters as application/x-www-form-urlencoded.");
  for (const [name, values] of form) {
    if (values.length > 1) throw invalidRequest(`A parameter must not be repeated${naming(name)}.`);
  }
  const get = (name: string) => form.get(name)?.[0] || undefined;
  return {
    get,
    need(name) {
      const value = get(name);
      if (value === undefined) throw invalidRequest(`The parameter ${name} is required.`);
      return value;
    },
  };
}

/** Returns a parameter's name for an error, if all its characters are allowed in error_description (RFC 6749 5.2). */
const naming = (name: string): string => (/^\w{1,40}$/.test(name) ? `: ${name}` : "");
