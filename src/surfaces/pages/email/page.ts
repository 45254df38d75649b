import type { FastifyRequest } from "fastify";
import { changeEmail, readEmailLink, requestEmail } from "../../../domain/accounts/change-email.ts";
import { proveSelf } from "../../../domain/accounts/prove-self.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { refusedForm } from "../shared/parts.ts";
import { fieldOf, formOfVisitor, visitorOf } from "../shared/signed-in.ts";
import { confirmPage, emailPage } from "./parts.ts";

const ADDRESS = "/account/email";

/** Changes the address of an account: a form that asks for the password, and the page of the link that it mails. */
export const emailRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const { done } = request.query as { done?: unknown };
      return emailPage(visitor, { mails: service.mailer !== undefined, sent: done === "sent" });
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      if (service.mailer === undefined) return emailPage(visitor, { mails: false, sent: false });
      const email = fieldOf(visitor.form, "email");
      try {
        await perform(service, proveSelf, visitor, { proof: fieldOf(visitor.form, "proof") });
        await perform(service, requestEmail, visitor, { email, locale: visitor.locale });
      } catch (error) {
        const again = { ...refusedForm(visitor.locale, error), email };
        return emailPage(visitor, { mails: true, sent: false, again });
      }
      return seeOther(`${ADDRESS}?done=sent`);
    },
  },
  {
    method: "GET",
    url: `${ADDRESS}/:link`,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const link = linkOf(request);
      return confirmPage(visitor, { link, ...(await perform(service, readEmailLink, visitor, { link })) });
    },
  },
  {
    // mail scanners open links, so only this changes the address
    method: "POST",
    url: `${ADDRESS}/:link`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const link = linkOf(request);
      try {
        await perform(service, changeEmail, visitor, { link, locale: visitor.locale });
      } catch (error) {
        const again = refusedForm(visitor.locale, error);
        const found = await perform(service, readEmailLink, visitor, { link });
        return confirmPage(visitor, { link, ...found }, again);
      }
      return seeOther("/account?done=email");
    },
  },
];

const linkOf = (request: FastifyRequest): string => (request.params as { link: string }).link;
