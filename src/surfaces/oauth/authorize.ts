import type { Route } from "../../http/route.ts";
import { personOf, sessionToken } from "../../http/session.ts";
import { authorizationRequest, queryOf } from "./authorization-request.ts";
import { consentPage } from "./consent-page.ts";
import { returnError } from "./return-to-client.ts";
import { signInPage } from "./sign-in-page.ts";
import { wishOf } from "./wish.ts";

/**
 * The authorization endpoint (OAuth 2.1 3.1). The person signs in before any error goes back: applications
 * register themselves, and a redirect for everybody would be an open one.
 */
export const authorize: Route = {
  method: "GET",
  url: "/oauth/authorize",
  async handle(service, request) {
    const asked = await authorizationRequest(service, queryOf(request));
    const person = await personOf(service, request);
    const session = sessionToken(service, request);
    if (person === undefined || session === undefined) return signInPage(service, request, asked, undefined);
    const wish = wishOf(service, asked);
    if ("error" in wish) return returnError(service, asked, wish);
    return await consentPage(service, { asked, wish, person, session });
  },
};
