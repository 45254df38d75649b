import type { FastifyRequest } from "fastify";
import type { Person } from "../../domain/accounts/people/account.ts";
import { markFor } from "../../domain/accounts/sessions/known-device.ts";
import { personOfSession } from "../../domain/accounts/sessions/session.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { cookieOf, setCookie } from "./cookie.ts";

const NAME = "leadgate_session";

/** Who is signed in on this browser. One indexed read. */
export async function personOf(service: Service, request: FastifyRequest): Promise<Person | undefined> {
  const token = sessionToken(service, request);
  return token === undefined ? undefined : await personOfSession(service, token);
}

/** The session's token out of the cookie, as the browser sent it. */
export const sessionToken = (service: Service, request: FastifyRequest): string | undefined =>
  cookieOf(service, request, NAME);

/** The Set-Cookie value that signs a browser in. */
export const sessionCookie = (service: Service, token: string): string =>
  setCookie(service, NAME, token, service.config.lifetimes.session);

/** The Set-Cookie value that signs a browser out. */
export const noSessionCookie = (service: Service): string => setCookie(service, NAME, "", 0);

const DEVICE = "leadgate_device";
const DEVICE_SECONDS = 400 * 86_400; // the longest that browsers keep a cookie (RFC 6265bis 5.5)

/** What this browser is for the throttle: the mark that it got at former sign-ins. */
export const deviceMark = (service: Service, request: FastifyRequest): string | undefined =>
  cookieOf(service, request, DEVICE);

/** The Set-Cookie values after a sign-in: the session, and the browser remembered as one of this person. */
export const signInCookies = (
  service: Service,
  request: FastifyRequest,
  { token, personId }: { token: string; personId: string },
): string[] => [
  sessionCookie(service, token),
  setCookie(service, DEVICE, markFor(service, deviceMark(service, request), personId), DEVICE_SECONDS),
];

/** Whether a form came from our own pages: browsers say so by Sec-Fetch-Site or Origin; scripts send neither. */
export function sameOrigin(service: Service, request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.origin;
  return origin === undefined || origin === new URL(service.config.authUrl).origin;
}
