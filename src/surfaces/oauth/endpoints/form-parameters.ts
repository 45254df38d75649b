import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import { formBody } from "../../../http/request/body.ts";

/** Parameters of a form, each once; an empty one counts as left out (RFC 6749 3.2). */
export interface FormParameters {
  get(name: string): string | undefined;
  /** The parameter, or `invalid_request` without it. */
  need(name: string): string;
}

const invalidRequest = (message: string): Refusal => new Refusal("malformed", "invalid_request", message);

/** The form of an OAuth request; another content type or a repeated parameter is `invalid_request`. */
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

/** Names a parameter only in characters that an error_description may hold (RFC 6749 5.2). */
const naming = (name: string): string => (/^\w{1,40}$/.test(name) ? `: ${name}` : "");
