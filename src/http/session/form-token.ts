import type { FastifyRequest } from "fastify";
import { macOf, randomSecret, sameText } from "../../core/secret.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { cookieOf, setCookie } from "./cookie.ts";

const PRE_SESSION = "leadgate_visit";
const PRE_SESSION_SECONDS = 3_600;

/** An anti-forgery token: bound to a browser's session (or visit) and to what the form is for. */
export function formToken(service: Service, session: string, purpose: string): string {
  return macOf(newestKey(service), "form", `${session}\0${purpose}`);
}

/** Whether a form carries the token that this browser was given for this purpose. */
export function isFormToken(
  service: Service,
  session: string,
  purpose: string,
  given: string | undefined,
): boolean {
  return (
    given !== undefined &&
    service.config.secretKeys.some((key) => sameText(given, macOf(key, "form", `${session}\0${purpose}`)))
  );
}

/** Visits that began with a request: whoever asks during it gets the same one. */
const begun = new WeakMap<FastifyRequest, string>();

/** A browser's visit before anybody signed in: what its sign-in form is bound to, and the cookie to set when new. */
export function preSession(service: Service, request: FastifyRequest): { value: string; cookie?: string } {
  const known = cookieOf(service, request, PRE_SESSION);
  if (known !== undefined) return { value: known };
  const value = begun.get(request) ?? randomSecret();
  begun.set(request, value);
  return { value, cookie: setCookie(service, PRE_SESSION, value, PRE_SESSION_SECONDS) };
}

function newestKey(service: Service): string {
  const [key] = service.config.secretKeys;
  if (key === undefined) throw new Error("the service was started without a secret key");
  return key;
}
