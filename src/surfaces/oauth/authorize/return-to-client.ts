import type { Service } from "../../../domain/operation/service/service.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { AuthorizationError, AuthorizationRequest } from "./authorization-request.ts";

type Target = Pick<AuthorizationRequest, "redirectUri" | "state">;

/** Redirects to the application with a code (OAuth 2.1 4.1.2, RFC 9207 2). */
export const returnCode = (service: Service, target: Target, code: string): Reply =>
  goBack(service, target, [["code", code]]);

/** Redirects to the application with an error (OAuth 2.1 4.1.2.1). */
export const returnError = (
  service: Service,
  target: Target,
  { error, description }: AuthorizationError,
): Reply =>
  goBack(service, target, [
    ["error", error],
    ["error_description", description],
  ]);

export const accessDenied: AuthorizationError = {
  error: "access_denied",
  description: "The user denied access.",
};

/** Appends to the redirect URI as a string, so that its own query stays byte for byte. */
function goBack(service: Service, { redirectUri, state }: Target, outcome: [string, string][]): Reply {
  const parameters = [
    ...outcome,
    ...(state === undefined ? [] : [["state", state]]),
    ["iss", service.config.authUrl],
  ];
  const query = parameters.map((pair) => pair.map((text) => encodeURIComponent(text)).join("=")).join("&");
  const joint = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return seeOther(`${redirectUri}${joint}${query}`);
}
