import type { FastifyRequest } from "fastify";
import type { Locale, Words } from "../../../core/locale.ts";
import { isResetOpen } from "../../../domain/accounts/reset-link.ts";
import { resetOver, resetPassword } from "../../../domain/accounts/reset-password.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { type Html, html, htmlReply, page } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { noSessionCookie } from "../../../http/session/session.ts";
import { faultOf, marked, problemAbove, type Refused, refusedForm } from "../shared/parts.ts";
import { fieldOf, formOf } from "../shared/signed-in.ts";

const ADDRESS = "/reset/:link";

const WORDS: Words<
  Record<"title" | "what" | "password" | "hint" | "set" | "done" | "apps" | "signIn", string>
> = {
  en: {
    title: "Set a new password",
    what: "This signs out every browser. Applications that you connected keep their access, and a second factor stays unchanged.",
    password: "New password",
    hint: "At least 8 characters; a long sentence is best.",
    set: "Set password",
    done: "Your new password is set, and every browser has been signed out.",
    apps: "Applications that you connected keep their access. Review them under Connected apps after signing in.",
    signIn: "Sign in",
  },
  "pt-BR": {
    title: "Defina uma nova senha",
    what: "Todos os navegadores serão desconectados. Os aplicativos que você autorizou mantêm o acesso, e o segundo fator continua como está.",
    password: "Nova senha",
    hint: "Pelo menos 8 caracteres; o melhor é uma frase longa.",
    set: "Definir senha",
    done: "Sua nova senha está definida, e todos os navegadores foram desconectados.",
    apps: "Os aplicativos que você autorizou mantêm o acesso. Confira-os em Aplicativos conectados depois de entrar.",
    signIn: "Entrar",
  },
};

/**
 * The page of a reset link. Its URL is a secret: no referrer is sent, and no anti-forgery token is needed,
 * since forging the form requires the URL.
 */
export const resetRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const link = linkOf(request);
      if (!(await perform(service, isResetOpen, browserOf(service, request), { link }))) throw resetOver();
      return answer(localeOf(request), form(localeOf(request), linkOf(request)));
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const locale = localeOf(request);
      try {
        const input = { link: linkOf(request), password: fieldOf(formOf(request), "password") };
        await perform(service, resetPassword, browserOf(service, request), input);
      } catch (error) {
        const refused = refusedForm(locale, error);
        return answer(locale, form(locale, linkOf(request), refused), refused);
      }
      const words = WORDS[locale];
      const done = html`<p role="status">${words.done}</p><p>${words.apps}</p>
<p><a class="button primary" href="/sign-in">${words.signIn}</a></p>`;
      return answer(locale, done, { status: 200, headers: { "Set-Cookie": noSessionCookie(service) } });
    },
  },
];

const linkOf = (request: FastifyRequest): string => (request.params as { link: string }).link;

function form(locale: Locale, link: string, again?: Refused): Html {
  const words = WORDS[locale];
  return html`<p class="quiet">${words.what}</p>
${problemAbove(again)}
<form method="post" action="/reset/${link}">
<label>${words.password} <input name="password" type="password" autocomplete="new-password" minlength="8" required autofocus${marked("password", again?.wrong)}>
<small>${words.hint}</small></label>
${faultOf("password", again?.wrong)}
<div class="actions"><button class="primary">${words.set}</button></div>
</form>`;
}

function answer(
  locale: Locale,
  content: Html,
  more: Partial<Pick<Refused, "status" | "headers">> = {},
): Reply {
  const { title } = WORDS[locale];
  const body = html`<main class="card">
<h1>${title}</h1>
${content}
</main>`;
  const headers = { "Referrer-Policy": "no-referrer", ...more.headers };
  return htmlReply(more.status ?? 200, page({ title, body, lang: locale }), headers);
}
