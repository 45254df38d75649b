import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import { proveSelf } from "../../../domain/accounts/prove-self.ts";
import {
  beginTotp,
  confirmTotp,
  endTotp,
  replaceRecoveryCodes,
  resumeTotp,
  twoFactorOf,
} from "../../../domain/accounts/two-factor.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { deviceMark, sessionToken } from "../../../http/session/session.ts";
import { fieldOf, formOfVisitor, staleForm, type Visitor, visitorOf } from "../shared/signed-in.ts";
import { enrolmentPage } from "./enrolment.ts";
import { recoveryCodesPage, twoFactorPage } from "./parts.ts";

const ADDRESS = "/account/two-factor";

type Sent = Visitor & { form: Map<string, string[]> };

/** The authenticator app: set up, confirmed with its first code, turned off; and the recovery codes. */
export const twoFactorRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      return twoFactorPage(visitor, await twoFactorOf(service, visitor.person.id));
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const sent = await formOfVisitor(service, request);
      try {
        return await act(service, request, sent);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal.code === "internal" || refusal.code === "stale_form") throw error;
        return twoFactorPage(sent, await twoFactorOf(service, sent.person.id), refusal);
      }
    },
  },
];

async function act(service: Service, request: FastifyRequest, sent: Sent): Promise<Reply> {
  const { person, form } = sent;
  const session = sessionToken(service, request) ?? "";
  const action = fieldOf(form, "do");
  if (action === "confirm") return await confirm(service, sent, session);
  const proof = { personId: person.id, proof: fieldOf(form, "proof"), device: deviceMark(service, request) };
  await proveSelf(service, proof);
  if (action === "begin") return enrolmentPage(sent, beginTotp(service, person, session));
  if (action === "codes") return recoveryCodesPage(sent, await replaceRecoveryCodes(service, person.id));
  if (action !== "off") throw staleForm();
  await endTotp(service, person.id);
  return seeOther(ADDRESS);
}

/** A wrong first code shows the same secret again: the app need not be set up anew. */
async function confirm(service: Service, sent: Sent, session: string): Promise<Reply> {
  const { person, form } = sent;
  const enrolment = resumeTotp(service, person, session, fieldOf(form, "enrolment"));
  if (enrolment === undefined) throw staleForm();
  try {
    const codes = await confirmTotp(service, person.id, {
      secret: enrolment.secret,
      code: fieldOf(form, "code"),
    });
    return recoveryCodesPage(sent, codes);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "wrong_code") throw error;
    return enrolmentPage(sent, enrolment, error);
  }
}
