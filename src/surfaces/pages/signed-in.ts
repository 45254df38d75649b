import type { FastifyRequest } from "fastify";
import { Refusal } from "../../core/refusal.ts";
import type { Person } from "../../domain/accounts/person.ts";
import type { Service } from "../../domain/service.ts";
import { formBody } from "../../http/body.ts";
import { formToken, isFormToken } from "../../http/form-token.ts";
import { personOf, sameOrigin, sessionToken } from "../../http/session.ts";

/** The person at this browser with the anti-forgery token for their forms. */
export interface Visitor {
  person: Person;
  token: string;
}

const PURPOSE = "pages";

/** Who is signed in; whoever is not is sent to sign in. */
export async function visitorOf(service: Service, request: FastifyRequest): Promise<Visitor> {
  const session = sessionToken(service, request);
  const person = await personOf(service, request);
  if (session === undefined || person === undefined)
    throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
  return { person, token: formToken(service, session, PURPOSE) };
}

/** A form that a signed-in person sent from one of our pages. */
export async function formOfVisitor(
  service: Service,
  request: FastifyRequest,
): Promise<Visitor & { form: Map<string, string[]> }> {
  const visitor = await visitorOf(service, request);
  const form = formOf(request);
  const session = sessionToken(service, request) ?? "";
  if (!sameOrigin(service, request) || !isFormToken(service, session, PURPOSE, form.get("form_token")?.[0])) {
    throw staleForm();
  }
  return { ...visitor, form };
}

/** The parameters of a posted form. */
export function formOf(request: FastifyRequest): Map<string, string[]> {
  const form = formBody(request);
  if (form === undefined) throw new Refusal("unsupported_media", "not_a_form", "Send this as a form.");
  return form;
}

/** One value of a form, empty when absent. */
export const fieldOf = (form: Map<string, string[]>, name: string): string => form.get(name)?.[0] ?? "";

/** What a form hears that is too old or came from elsewhere. */
export const staleForm = (): Refusal =>
  new Refusal(
    "forbidden",
    "stale_form",
    "This form is too old or did not come from our page. Go back, reload the page and try again.",
  );
