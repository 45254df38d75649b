import { endSession } from "../../domain/accounts/sessions/session.ts";
import { perform } from "../../domain/operation/operation.ts";
import { signedOut } from "../../domain/tenancy/signed-out.ts";
import type { Route } from "../../http/route/route.ts";
import { browserOf } from "../../http/session/browser.ts";
import { noSessionCookie, sessionToken } from "../../http/session/session.ts";
import { checkOurs } from "../../http/session/session-caller.ts";

/** `POST /panel/api/sign-out`: ends the session. */
export const panelSignOutRoute: Route = {
  method: "POST",
  url: "/panel/api/sign-out",
  async handle(service, request) {
    const session = sessionToken(service, request);
    if (session === undefined) throw signedOut();
    checkOurs(service, request, session);
    await perform(service, endSession, browserOf(service, request), {});
    return { status: 204, headers: { "Set-Cookie": noSessionCookie(service) } };
  },
};
