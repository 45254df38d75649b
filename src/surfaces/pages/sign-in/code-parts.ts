import type { FastifyRequest } from "fastify";
import type { Words } from "../../../core/locale.ts";
import type { Refusal } from "../../../core/refusal.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { html, page } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { carried, type Destination, problem, signInReply } from "../../../http/session/sign-in-form.ts";

/** Returns the page of the second step: an app's code or a recovery code. There is no session yet. */
export function codePage(
  service: Service,
  request: FastifyRequest,
  { state, ...destination }: Destination & { state: string },
  refusal?: Refusal,
): Reply {
  const lang = localeOf(request);
  const words = WORDS[lang];
  const body = html`<main class="card">
<h1>${words.title}</h1>
<p>${words.open}</p>
${refusal && problem(lang, refusal)}
<form method="post" action="/sign-in/code">
${carried(service, request, destination, `code ${state}`)}
<input type="hidden" name="state" value="${state}">
<label for="code">${words.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" autofocus>
<details><summary>${words.lost}</summary>
<label for="recovery">${words.recovery}</label>
<input id="recovery" name="recovery" autocomplete="off" autocapitalize="none" spellcheck="false">
<p class="quiet">${words.once}</p>
</details>
<div class="actions"><button class="primary" type="submit">${words.go}</button></div>
</form>
</main>`;
  return signInReply(service, request, page({ title: words.title, body, lang }), refusal);
}

const WORDS: Words<Record<"title" | "open" | "code" | "lost" | "recovery" | "once" | "go", string>> = {
  en: {
    title: "Your code",
    open: "Open your authenticator app and enter the six digits it shows for Leadgate.",
    code: "Code",
    lost: "No access to your app?",
    recovery: "Recovery code",
    once: "One of the ten codes that you saved when you set up the app. Each works once.",
    go: "Continue",
  },
  "pt-BR": {
    title: "Seu código",
    open: "Abra seu aplicativo autenticador e digite os seis dígitos que ele mostra para o Leadgate.",
    code: "Código",
    lost: "Está sem acesso ao aplicativo?",
    recovery: "Código de recuperação",
    once: "Um dos dez códigos que você salvou ao configurar o aplicativo. Cada um funciona uma vez.",
    go: "Continuar",
  },
};
