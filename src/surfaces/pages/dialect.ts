import type { Words } from "../../core/locale.ts";
import type { Refusal } from "../../core/refusal.ts";
import { localeOf } from "../../http/request/locale.ts";
import { html, htmlReply, page, seeOther } from "../../http/response/html.ts";
import { messageIn } from "../../http/response/refusal-words.ts";
import { retryHeader, statusOf } from "../../http/response/status.ts";
import type { Dialect } from "../../http/route/serve.ts";

/** Reports a refusal as a page that says what to do next; anonymous callers are sent to sign in and back. */
export const refusalPage: Dialect = (refusal, request) => {
  if (refusal.code === "sign_in") return seeOther(`/sign-in?to=${encodeURIComponent(request.url)}`);
  const lang = localeOf(request);
  const title = HEADLINES[lang][headlineOf(refusal)];
  const body = html`<main class="card">
<h1>${title}</h1>
<p>${messageIn(lang, refusal)}</p>
<p><a href="/">${HEADLINES[lang].back}</a></p>
<p class="quiet">${HEADLINES[lang].request} ${request.id}</p>
</main>`;
  return htmlReply(statusOf(refusal), page({ title, body, lang }), retryHeader(refusal));
};

type Headline = "missing" | "forbidden" | "away" | "wrong";

const HEADLINES: Words<Record<Headline | "back" | "request", string>> = {
  en: {
    missing: "Not found",
    forbidden: "Not allowed",
    away: "Not available",
    wrong: "Something went wrong",
    back: "Back to your projects",
    request: "Request",
  },
  "pt-BR": {
    missing: "Não encontrado",
    forbidden: "Não permitido",
    away: "Indisponível",
    wrong: "Não deu certo",
    back: "Voltar aos seus projetos",
    request: "Solicitação",
  },
};

function headlineOf({ kind }: Refusal): Headline {
  if (kind === "not_found") return "missing";
  if (kind === "forbidden") return "forbidden";
  return kind === "unavailable" ? "away" : "wrong";
}
