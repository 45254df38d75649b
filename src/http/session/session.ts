import type { FastifyRequest } from "fastify";
import type { Person } from "../../domain/accounts/people/account.ts";
import { markFor } from "../../domain/accounts/sessions/known-device.ts";
import { personOfSession } from "../../domain/accounts/sessions/session.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { cookieOf, setCookie } from "./cookie.ts";

const NAME = "leadgate_session";

/** Returns the person who is signed in in this browser. */
export async function personOf(service: Service, request: FastifyRequest): Promise<Person | undefined> {
  const token = sessionToken(service, request);
  return token === undefined ? undefined : await personOfSession(service, token);
}

/** Returns the session's token in the cookie, unchecked. */
export const sessionToken = (service: Service, request: FastifyRequest): string | undefined =>
  cookieOf(service, request, NAME);

/** Returns the Set-Cookie value that signs a browser in. */
export const sessionCookie = (service: Service, token: string): string =>
  setCookie(service, NAME, token, service.config.lifetimes.session);

/** Returns the Set-Cookie value that signs a browser out. */
export const noSessionCookie = (service: Service): string => setCookie(service, NAME, "", 0);

const DEVICE = "leadgate_device";
const DEVICE_SECONDS = 400 * 86_400; // the longest that browsers keep a cookie (RFC 6265bis 5.5)

/** Returns the mark that this browser received at earlier sign-ins, which the throttle recognizes it by. */
export const deviceMark = (service: Service, request: FastifyRequest): string | undefined =>
  cookieOf(service, request, DEVICE);

/**
 * Returns the Set-Cookie values after a sign-in: the session, and the mark that remembers this browser for the person.
 * An unverified account gets no mark: the owner of its address, who may claim it, does not know the browser.
 */
export const signInCookies = (
  service: Service,
  request: FastifyRequest,
  { token, personId, verified }: { token: string; personId: string; verified: boolean },
): string[] => [
  sessionCookie(service, token),
  ...(verified
    ? [setCookie(service, DEVICE, markFor(service, deviceMark(service, request), personId), DEVICE_SECONDS)]
    : []),
];

/** Whether a form came from our own pages: browsers send Sec-Fetch-Site or Origin; scripts send neither. */
export function sameOrigin(service: Service, request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.origin;
  return origin === undefined || origin === new URL(service.config.authUrl).origin;
}
