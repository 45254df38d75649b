import type { Locale, Words } from "../../../core/locale.ts";
import { requestReset } from "../../../domain/accounts/request-reset.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { type Html, html, htmlReply, page } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { formToken, isFormToken, preSession } from "../../../http/session/form-token.ts";
import { sameOrigin } from "../../../http/session/session.ts";
import { copyButton } from "../shared/copy.ts";
import { problemLine, refusedForm, tokenField } from "../shared/parts.ts";
import { fieldOf, formOf, staleForm } from "../shared/signed-in.ts";

const ADDRESS = "/forgot";
const PURPOSE = "forgot";

const WORDS: Words<
  Record<"title" | "intro" | "email" | "send" | "sent" | "back" | "noMail" | "command", string>
> = {
  en: {
    title: "Forgot your password?",
    intro: "We will e-mail you a link to set a new one.",
    email: "E-mail",
    send: "Send link",
    sent: "If there is an account with this e-mail, a link is on its way. It works once, for an hour; only the newest link works.",
    back: "Back to sign in",
    noMail: "This service does not send e-mail. Ask its operator for a link.",
    command: "The operator can create it with this command:",
  },
  "pt-BR": {
    title: "Esqueceu sua senha?",
    intro: "Enviaremos a você um link para definir uma nova senha.",
    email: "E-mail",
    send: "Enviar link",
    sent: "Se houver uma conta com este e-mail, um link está a caminho. Ele funciona uma vez, por uma hora; só o link mais recente vale.",
    back: "Voltar para a entrada",
    noMail: "Este serviço não envia e-mails. Peça um link a quem o opera.",
    command: "Quem opera o serviço pode gerá-lo com este comando:",
  },
};

/** Requests a link to set a new password. The response does not depend on whether the e-mail is known. */
export const forgotRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const locale = localeOf(request);
      if (service.mailer === undefined) return htmlReply(200, card(locale, withoutMail(locale)));
      const visit = preSession(service, request);
      const body = form(locale, formToken(service, visit.value, PURPOSE));
      return htmlReply(
        200,
        card(locale, body),
        visit.cookie === undefined ? {} : { "Set-Cookie": visit.cookie },
      );
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const locale = localeOf(request);
      if (service.mailer === undefined) return htmlReply(200, card(locale, withoutMail(locale)));
      const sent = formOf(request);
      const visit = preSession(service, request).value;
      if (
        !sameOrigin(service, request) ||
        !isFormToken(service, visit, PURPOSE, fieldOf(sent, "form_token"))
      ) {
        throw staleForm();
      }
      try {
        const caller = browserOf(service, request);
        await perform(service, requestReset, caller, { email: fieldOf(sent, "email"), locale });
      } catch (error) {
        const { problem, status, headers } = refusedForm(locale, error);
        return htmlReply(status, card(locale, html`${problemLine(problem)}`), headers);
      }
      return htmlReply(200, card(locale, html`<p role="status">${WORDS[locale].sent}</p>`));
    },
  },
];

function form(locale: Locale, token: string): Html {
  const words = WORDS[locale];
  return html`<p class="quiet">${words.intro}</p>
<form method="post" action="${ADDRESS}">
${tokenField(token)}
<label>${words.email} <input name="email" type="email" autocomplete="username" maxlength="254" required autofocus></label>
<div class="actions"><button class="primary">${words.send}</button></div>
</form>`;
}

const withoutMail = (locale: Locale): Html => html`<p>${WORDS[locale].noMail}</p>
<p class="quiet">${WORDS[locale].command}</p>
<pre><code>npm run -s leadgate -- person reset-password --email you@example.org</code></pre>${copyButton(locale, "command")}`;

function card(locale: Locale, content: Html): Html {
  const { title, back } = WORDS[locale];
  const body = html`<main class="card">
<h1>${title}</h1>
${content}
<p><a href="/sign-in">${back}</a></p>
</main>`;
  return page({ title, body, lang: locale });
}
