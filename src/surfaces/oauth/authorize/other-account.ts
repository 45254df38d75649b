import { endSession } from "../../../domain/accounts/sessions/session.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { noSessionCookie } from "../../../http/session/session.ts";
import { backTo, personForm } from "./person-form.ts";

/** Signs out and returns to the same request, where another account may sign in. */
export const otherAccount: Route = {
  method: "POST",
  url: "/oauth/other-account",
  bodyLimit: 64 * 1_024,
  async handle(service, request) {
    const sent = await personForm(service, request, "account");
    if ("status" in sent) return sent;
    await perform(service, endSession, browserOf(service, request), {});
    return backTo(sent.about.asked, { "Set-Cookie": noSessionCookie(service) });
  },
};
