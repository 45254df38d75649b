import type { FastifyRequest } from "fastify";
import type { Service } from "../../domain/operation/service/service.ts";

/**
 * Returns a cookie's value. Over https only the `__Host-` form counts: no other host of the domain can have
 * set it.
 */
export function cookieOf(service: Service, request: FastifyRequest, name: string): string | undefined {
  const full = isSecure(service) ? `__Host-${name}` : name;
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${full}=`))?.slice(full.length + 1);
  return found !== undefined && /^[A-Za-z0-9_-]{16,200}$/.test(found) ? found : undefined;
}

const isSecure = (service: Service): boolean => service.config.authUrl.startsWith("https:");

/**
 * Returns a Set-Cookie value for the entire web host, unavailable to scripts; `__Host-` and Secure over https
 * (RFC 6265bis 4.1.3).
 */
export function setCookie(service: Service, name: string, value: string, seconds: number): string {
  const head = isSecure(service) ? `__Host-${name}=${value}; Secure` : `${name}=${value}`;
  return `${head}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}
