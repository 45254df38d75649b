import type { FastifyRequest } from "fastify";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { acceptInvitation, joinAsNewPerson } from "../../../domain/projects/invitations/accept-invitation.ts";
import { openInvitation } from "../../../domain/projects/invitations/open-invitation.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { htmlReply, seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { formToken, isFormToken, preSession } from "../../../http/session/form-token.ts";
import { personOf, sameOrigin, signInCookies } from "../../../http/session/session.ts";
import { type Refused, refusedForm } from "../shared/parts.ts";
import { fieldOf, formOf, formOfVisitor, type Visitor, visitorOf } from "../shared/signed-in.ts";
import { acceptForm, invitationPage, newcomerForm } from "./parts.ts";
import { INVITATION_WORDS } from "./words.ts";

const ADDRESS = "/invitation/:link";
const PURPOSE = "invitation";

/** The page of an invitation's link: join with the current account, or create one. */
export const invitationRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      if ((await personOf(service, request)) === undefined) return await forNewcomer(service, request);
      return await forVisitor(service, request, await visitorOf(service, request));
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const sent = formOf(request);
      const [name, password] = [fieldOf(sent, "name"), fieldOf(sent, "password")];
      const locale = localeOf(request);
      const visit = preSession(service, request).value;
      if (
        !sameOrigin(service, request) ||
        !isFormToken(service, visit, PURPOSE, fieldOf(sent, "form_token"))
      ) {
        const stale = { problem: INVITATION_WORDS[locale].stale, wrong: {}, status: 403, headers: {} };
        return await forNewcomer(service, request, { ...stale, name });
      }
      try {
        const joined = await perform(service, joinAsNewPerson, browserOf(service, request), {
          link: linkOf(request),
          name,
          password,
        });
        const cookie = { "Set-Cookie": signInCookies(service, request, joined) };
        return seeOther(`/projects/${joined.projectId}`, cookie);
      } catch (error) {
        return await forNewcomer(service, request, { ...refusedForm(locale, error), name });
      }
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/accept`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      try {
        const joined = await perform(service, acceptInvitation, visitor, { link: linkOf(request) });
        return seeOther(`/projects/${joined.projectId}`);
      } catch (error) {
        return await forVisitor(service, request, visitor, refusedForm(visitor.locale, error));
      }
    },
  },
];

const linkOf = (request: FastifyRequest): string => (request.params as { link: string }).link;

async function forVisitor(
  service: Service,
  request: FastifyRequest,
  visitor: Visitor,
  again?: Refused,
): Promise<Reply> {
  const invitation = await perform(service, openInvitation, browserOf(service, request), {
    link: linkOf(request),
  });
  const way = acceptForm(visitor, `/invitation/${linkOf(request)}`, invitation);
  const document = invitationPage(visitor.locale, invitation, way, again);
  return htmlReply(again?.status ?? 200, document, again?.headers ?? {});
}

async function forNewcomer(
  service: Service,
  request: FastifyRequest,
  again?: Refused & { name: string },
): Promise<Reply> {
  const locale = localeOf(request);
  const invitation = await perform(service, openInvitation, browserOf(service, request), {
    link: linkOf(request),
  });
  const visit = preSession(service, request);
  const token = formToken(service, visit.value, PURPOSE);
  const at = {
    address: `/invitation/${linkOf(request)}`,
    token,
    name: again?.name ?? "",
    wrong: again?.wrong,
  };
  const document = invitationPage(locale, invitation, newcomerForm(locale, at, invitation), again);
  const cookie: Record<string, string> = visit.cookie === undefined ? {} : { "Set-Cookie": visit.cookie };
  return htmlReply(again?.status ?? 200, document, { ...again?.headers, ...cookie });
}
