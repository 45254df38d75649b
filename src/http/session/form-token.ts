import type { FastifyRequest } from "fastify";
import { macOf, randomSecret, sameText } from "../../core/secret.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { cookieOf, setCookie } from "./cookie.ts";

const PRE_SESSION = "leadgate_visit";
const PRE_SESSION_SECONDS = 3_600;

/** Returns an anti-forgery token, bound to a browser's session (or visit) and to the purpose of the form. */
export function formToken(service: Service, session: string, purpose: string): string {
  return macOf(newestKey(service), "form", `${session}\0${purpose}`);
}

/** Whether a form has the token that was issued to this browser for this purpose. */
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

/** Visits that started with a request: all callers during that request get the same one. */
const begun = new WeakMap<FastifyRequest, string>();

/**
 * Returns a browser's visit before sign-in, which its sign-in form is bound to, and the cookie to set if it
 * is new.
 */
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
