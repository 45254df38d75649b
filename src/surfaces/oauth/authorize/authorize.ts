import { localeOf } from "../../../http/request/locale.ts";
import type { Route } from "../../../http/route/route.ts";
import { personOf, sessionToken } from "../../../http/session/session.ts";
import { signInForm } from "../../../http/session/sign-in-form.ts";
import {
  anonymousRequest,
  authorizationRequest,
  queryStringOf,
  requestedAccess,
} from "./authorization-request.ts";
import { consentPage } from "./consent-page.ts";
import { earlyError } from "./early-error.ts";

/**
 * The authorization endpoint (OAuth 2.1 3.1). The person signs in before any error is returned to the
 * application: anyone can register one, so redirecting anonymous callers would make an open redirect.
 */
export const authorize: Route = {
  method: "GET",
  url: "/oauth/authorize",
  async handle(service, request) {
    const query = queryStringOf(request);
    const person = await personOf(service, request);
    const session = sessionToken(service, request);
    if (person === undefined || session === undefined) {
      const { applicationName: app } = await anonymousRequest(service, query);
      return signInForm(service, request, { to: `/oauth/authorize?${query}`, app });
    }
    const asked = await authorizationRequest(service, query, { person, session }, "page");
    const access = requestedAccess(service, asked);
    const about = { asked, person, session, locale: localeOf(request, person) };
    if ("error" in access) return await earlyError(service, about, access);
    return await consentPage(service, { ...about, access });
  },
};
