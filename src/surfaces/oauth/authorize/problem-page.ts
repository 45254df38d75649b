import type { Words } from "../../../core/locale.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { html, htmlReply, page } from "../../../http/response/html.ts";
import { messageIn } from "../../../http/response/refusal-words.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { retryHeader, statusOf } from "../../../http/response/status.ts";
import type { Dialect } from "../../../http/route/serve.ts";

const WORDS: Words<{ title: string; next: string; request: string }> = {
  en: {
    title: "Something went wrong",
    next: `Nothing was shared with any application. Go back to the application and start again. If it
happens again, send its developers the message above.`,
    request: "Request",
  },
  "pt-BR": {
    title: "Não deu certo",
    next: `Nada foi compartilhado com nenhum aplicativo. Volte ao aplicativo e comece de novo. Se acontecer
outra vez, envie aos desenvolvedores dele a mensagem acima.`,
    request: "Solicitação",
  },
};

/**
 * Reports errors of the authorization pages on a page, without a redirect, with English details for the
 * application's developers.
 */
export const pageDialect: Dialect = (refusal, request): Reply => {
  const lang = localeOf(request);
  const words = WORDS[lang];
  const message = messageIn(lang, refusal);
  const original = message !== refusal.message && html`<p class="quiet" lang="en">${refusal.message}</p>`;
  const body = html`<main class="card">
<h1>${words.title}</h1>
<p class="error" role="alert">${message}</p>
${original}
<p>${words.next}</p>
<p class="quiet">${words.request} ${request.id}</p>
</main>`;
  return htmlReply(statusOf(refusal), page({ title: words.title, body, lang }), retryHeader(refusal));
};
