import { Refusal } from "../../../core/refusal.ts";
import { proveSelf } from "../../../domain/accounts/prove-self.ts";
import {
  beginTotp,
  confirmTotp,
  endTotp,
  readTwoFactor,
  replaceRecoveryCodes,
  resumeTotp,
} from "../../../domain/accounts/two-factor.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { fieldOf, formOfVisitor, staleForm, type Visitor, visitorOf } from "../shared/signed-in.ts";
import { enrolmentPage } from "./enrolment.ts";
import { recoveryCodesPage, twoFactorPage } from "./parts.ts";

const ADDRESS = "/account/two-factor";

type Sent = Visitor & { form: Map<string, string[]> };

/** Sets up an authenticator app, confirms its first code, turns it off, and issues recovery codes. */
export const twoFactorRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      return twoFactorPage(visitor, await perform(service, readTwoFactor, visitor, {}));
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const sent = await formOfVisitor(service, request);
      try {
        return await act(service, sent);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal.code === "internal" || refusal.code === "stale_form") throw error;
        return twoFactorPage(sent, await perform(service, readTwoFactor, sent, {}), refusal);
      }
    },
  },
];

async function act(service: Service, sent: Sent): Promise<Reply> {
  const step = fieldOf(sent.form, "do");
  if (step === "confirm") return await confirm(service, sent);
  await perform(service, proveSelf, sent, { proof: fieldOf(sent.form, "proof") });
  if (step === "begin") return enrolmentPage(sent, await perform(service, beginTotp, sent, {}));
  if (step === "codes")
    return recoveryCodesPage(sent, await perform(service, replaceRecoveryCodes, sent, {}));
  if (step !== "off") throw staleForm();
  await perform(service, endTotp, sent, {});
  return seeOther(ADDRESS);
}

/**
 * Confirms the app. A wrong first code shows the same secret again, so that the app need not be set up again.
 */
async function confirm(service: Service, sent: Sent): Promise<Reply> {
  const { form } = sent;
  const enrolment = await perform(service, resumeTotp, sent, { sealed: fieldOf(form, "enrolment") });
  if (enrolment === undefined) throw staleForm();
  try {
    const codes = await perform(service, confirmTotp, sent, {
      secret: enrolment.secret,
      code: fieldOf(form, "code"),
    });
    return recoveryCodesPage(sent, codes);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "wrong_code") throw error;
    return enrolmentPage(sent, enrolment, error);
  }
}
