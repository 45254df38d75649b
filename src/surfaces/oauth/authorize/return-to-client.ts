import type { Service } from "../../../domain/operation/service/service.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

type Target = Pick<AuthorizationRequest, "redirectUri" | "state">;

/** An error for the application, with an English description for its developers. */
interface ReturnedError {
  error: string;
  description: string;
}

/** Redirects to the application with a code (OAuth 2.1 4.1.2, RFC 9207 2). */
export const returnCode = (service: Service, target: Target, code: string): Reply =>
  seeOther(addressBack(service, target, [["code", code]]));

/** Redirects to the application with an error (OAuth 2.1 4.1.2.1). */
export const returnError = (service: Service, target: Target, error: ReturnedError): Reply =>
  seeOther(returnAddress(service, target, error));

/** Returns the URL that reports an error to the application. */
export const returnAddress = (
  service: Service,
  target: Target,
  { error, description }: ReturnedError,
): string =>
  addressBack(service, target, [
    ["error", error],
    ["error_description", description],
  ]);

export const accessDenied: ReturnedError = {
  error: "access_denied",
  description: "The user denied access.",
};

/** Appends to the redirect URI as a string, so that its own query stays byte for byte. */
function addressBack(service: Service, { redirectUri, state }: Target, outcome: [string, string][]): string {
  const parameters = [
    ...outcome,
    ...(state === undefined ? [] : [["state", state]]),
    ["iss", service.config.authUrl],
  ];
  const query = parameters.map((pair) => pair.map((text) => encodeURIComponent(text)).join("=")).join("&");
  const joint = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return `${redirectUri}${joint}${query}`;
}
