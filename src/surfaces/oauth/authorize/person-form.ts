import type { FastifyRequest } from "fastify";
import type { Service } from "../../../domain/operation/service/service.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { isFormToken } from "../../../http/session/form-token.ts";
import { personOf, sessionToken } from "../../../http/session/session.ts";
import {
  type AuthorizationRequest,
  anonymousRequest,
  authorizationRequest,
  requestedAccess,
} from "./authorization-request.ts";
import { carried, purposeOf } from "./carried-request.ts";
import { type ConsentContext, consentPage } from "./consent-page.ts";
import { earlyError } from "./early-error.ts";
import { formOfOurs, type OurForm } from "./form-of-ours.ts";

/**
 * Returns a form of the consent page, with its request checked again. If the person has to sign in first or
 * is in another session than the page was made for, it returns a reply that shows the page again.
 */
export async function personForm(
  service: Service,
  request: FastifyRequest,
  step: Parameters<typeof purposeOf>[0],
): Promise<{ form: OurForm; about: ConsentContext } | Reply> {
  const form = formOfOurs(service, request);
  const query = carried(form.one("request") ?? "");
  const person = await personOf(service, request);
  const session = sessionToken(service, request);
  if (person === undefined || session === undefined) {
    return backTo(await anonymousRequest(service, query));
  }
  const asked = await authorizationRequest(service, query, { person, session }, "form");
  const access = requestedAccess(service, asked);
  const genuine = isFormToken(service, session, purposeOf(step, asked.query), form.one("token"));
  const reader = { asked, person, session, locale: localeOf(request, person) };
  if ("error" in access) return genuine ? await earlyError(service, reader, access) : backTo(asked);
  const about = { ...reader, access };
  if (genuine) return { form, about };
  return await consentPage(service, { ...about, fault: "new_session", status: 403 });
}

/** Redirects to the same request by GET. */
export const backTo = (
  { query }: Pick<AuthorizationRequest, "query">,
  headers: Reply["headers"] = {},
): Reply => seeOther(`/oauth/authorize?${query}`, headers);
