import type { FastifyRequest } from "fastify";
import type { Locale } from "../../../core/locale.ts";
import type { Look } from "../../../core/look.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Person } from "../../../domain/accounts/people/account.ts";
import type { SignedIn } from "../../../domain/operation/callers.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { listOwnProjects } from "../../../domain/projects/list-own-projects.ts";
import type { OwnProject } from "../../../domain/tenancy/list-projects.ts";
import { formBody } from "../../../http/request/body.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { lookOf } from "../../../http/request/look.ts";
import { formToken, isFormToken } from "../../../http/session/form-token.ts";
import { deviceMark, personOf, sameOrigin, sessionToken } from "../../../http/session/session.ts";

/** The signed-in person, as they call operations, with the anti-forgery token for their forms. */
export interface Visitor extends SignedIn {
  person: Person;
  locale: Locale;
  token: string;
  /** The person's projects, by name. */
  projects: readonly OwnProject[];
  /** The project in the URL, if it is one of theirs. */
  project: OwnProject | undefined;
  /** The URL's path, without its query. */
  path: string;
  look: Look;
}

const PURPOSE = "pages";

/** Returns the signed-in person; anonymous callers are sent to sign in. */
export async function visitorOf(service: Service, request: FastifyRequest): Promise<Visitor> {
  const session = sessionToken(service, request);
  const person = await personOf(service, request);
  if (session === undefined || person === undefined)
    throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
  // PostgreSQL refuses a NUL, so no id in the URL has one
  if (Object.values(request.params as Record<string, string>).some((each) => each.includes("\0")))
    throw new Refusal("not_found", "not_found", "There is nothing at this URL.");
  const caller = { person, session, device: deviceMark(service, request) };
  const projects = await perform(service, listOwnProjects, caller, {});
  const { project: asked } = request.params as { project?: string };
  return {
    ...caller,
    locale: localeOf(request, person),
    token: formToken(service, session, PURPOSE),
    projects,
    project: projects.find(({ id }) => id === asked),
    path: request.url.split("?", 1)[0] ?? "/",
    look: lookOf(request),
  };
}

/** Returns a form that a signed-in person sent from one of our pages. */
export async function formOfVisitor(
  service: Service,
  request: FastifyRequest,
): Promise<Visitor & { form: Map<string, string[]> }> {
  const form = formOf(request);
  return { ...(await visitorWith(service, request, fieldOf(form, "form_token"))), form };
}

/**
 * Returns the signed-in person, if the anti-forgery token is theirs and the request came from our own page.
 */
export async function visitorWith(
  service: Service,
  request: FastifyRequest,
  token: string,
): Promise<Visitor> {
  const visitor = await visitorOf(service, request);
  if (!sameOrigin(service, request) || !isFormToken(service, visitor.session, PURPOSE, token))
    throw staleForm();
  return visitor;
}

/** Returns the parameters of a posted form. */
export function formOf(request: FastifyRequest): Map<string, string[]> {
  const form = formBody(request);
  if (form === undefined) throw new Refusal("unsupported_media", "not_a_form", "Send this as a form.");
  return form;
}

/** Returns one value of a form, empty if absent. */
export const fieldOf = (form: Map<string, string[]>, name: string): string => form.get(name)?.[0] ?? "";

/** Returns the refusal of a form that is too old or was sent from elsewhere. */
export const staleForm = (): Refusal =>
  new Refusal(
    "forbidden",
    "stale_form",
    "This form has expired or did not come from our page. Go back, reload the page and try again.",
  );
