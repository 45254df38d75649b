import { endSession } from "../../../domain/accounts/sessions/session.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { localPath } from "../../../http/request/local-path.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { noSessionCookie } from "../../../http/session/session.ts";
import { fieldOf, formOfVisitor } from "../shared/signed-in.ts";

/**
 * Makes the browser forget what the panel keeps in it: drafts are personal data, and this page may run no script. The
 * columns of tables go as well. Browsers follow it on https and localhost only.
 */
const FORGET = { "Clear-Site-Data": '"storage"' };

/** `POST /sign-out`: ends the session and goes to the path in `to`, or to the sign-in page. */
export const signOutRoute: Route = {
  method: "POST",
  url: "/sign-out",
  async handle(service, request) {
    const { form } = await formOfVisitor(service, request);
    await perform(service, endSession, browserOf(service, request), {});
    const to = localPath(fieldOf(form, "to"));
    return seeOther(to === "/" ? "/sign-in" : to, { "Set-Cookie": noSessionCookie(service), ...FORGET });
  },
};
