import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { formBody } from "../../../http/request/body.ts";
import { sameOrigin } from "../../../http/session/session.ts";

/** The fields of a form that was sent from one of our pages. */
export interface OurForm {
  /** Returns a field that occurs exactly once. */
  one(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** Returns the form; refused if another site sent it or it is not a form. */
export function formOfOurs(service: Service, request: FastifyRequest): OurForm {
  if (!sameOrigin(service, request)) {
    throw new Refusal("forbidden", "foreign_form", "This form was sent from another site.");
  }
  const form = formBody(request);
  if (form === undefined) throw new Refusal("malformed", "not_a_form", "This URL accepts only a form.");
  const all = (name: string): readonly string[] => form.get(name) ?? [];
  return { all, one: (name) => (all(name).length === 1 ? all(name)[0] : undefined) };
}
