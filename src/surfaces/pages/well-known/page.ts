import { Refusal } from "../../../core/refusal.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";

const PATH = "/.well-known/security.txt";
const VALID_DAYS = 180;

/** Addresses that are the same on every site: where to report a vulnerability, where to change a password. */
export const wellKnownRoutes: Route[] = [
  {
    method: "GET",
    url: PATH,
    async handle(service) {
      if (service.config.securityContacts.length === 0) {
        throw new Refusal("not_found", "not_found", "There is nothing at this URL.");
      }
      const headers = { "Cache-Control": "public, max-age=86400", "X-Content-Type-Options": "nosniff" };
      return { status: 200, body: securityText(service), type: "text/plain; charset=utf-8", headers };
    },
  },
  {
    method: "GET",
    // W3C, A Well-Known URL for Changing Passwords
    url: "/.well-known/change-password",
    handle: async () => seeOther("/account#password", { "Cache-Control": "no-store" }),
  },
];

/** Whom to tell of a vulnerability (RFC 9116). Canonical must be an https URL. */
function securityText({ config: { authUrl, securityContacts } }: Service): string {
  const canonical = authUrl.startsWith("https:") ? [`Canonical: ${authUrl}${PATH}`] : [];
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expiry(new Date())}`,
    "Preferred-Languages: en, pt-BR",
    ...canonical,
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the end of the file's validity, the same all day. */
function expiry(now: Date): string {
  now.setUTCHours(0, 0, 0, 0);
  now.setUTCDate(now.getUTCDate() + VALID_DAYS);
  return now.toISOString().replace(".000", "");
}
