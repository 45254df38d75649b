import type { FastifyRequest } from "fastify";
import type { Locale } from "../../../core/locale.ts";
import { openReset } from "../../../domain/accounts/reset-link.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { resetPassword } from "../../../domain/projects/reset-password.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { type Html, html, htmlReply, page } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { noSessionCookie } from "../../../http/session/session.ts";
import { type Refused, refusedForm } from "../shared/parts.ts";
import { fieldOf, formOf } from "../shared/signed-in.ts";
import { resetDone, resetForm } from "./parts.ts";
import { RESET_WORDS } from "./words.ts";

const ADDRESS = "/reset/:link";

/**
 * The page of a reset link: the account's ways to sign in, and the form for a new password. Its URL is a secret: no
 * referrer is sent, and no anti-forgery token is needed, since forging the form requires the URL.
 */
export const resetRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const link = linkOf(request);
      const open = await perform(service, openReset, browserOf(service, request), { link });
      const locale = localeOf(request, open);
      return answer(locale, resetForm(locale, link, open));
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const link = linkOf(request);
      const caller = browserOf(service, request);
      const open = await perform(service, openReset, caller, { link });
      const locale = localeOf(request, open);
      const sent = formOf(request);
      try {
        const endPasskeys = fieldOf(sent, "passkeys") === "end";
        const input = { link, password: fieldOf(sent, "password"), endPasskeys };
        const { claimed } = await perform(service, resetPassword, caller, input);
        const signedOut = { "Set-Cookie": noSessionCookie(service) };
        return answer(locale, resetDone(locale, claimed), { status: 200, headers: signedOut });
      } catch (error) {
        const refused = refusedForm(locale, error);
        return answer(locale, resetForm(locale, link, open, refused), refused);
      }
    },
  },
];

const linkOf = (request: FastifyRequest): string => (request.params as { link: string }).link;

function answer(
  locale: Locale,
  content: Html,
  more: Partial<Pick<Refused, "status" | "headers">> = {},
): Reply {
  const { title } = RESET_WORDS[locale];
  const body = html`<main class="card">
<h1>${title}</h1>
${content}
</main>`;
  const headers = { "Referrer-Policy": "no-referrer", ...more.headers };
  return htmlReply(more.status ?? 200, page({ title, body, lang: locale }), headers);
}
