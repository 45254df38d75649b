import type { Words } from "../../../core/locale.ts";
import { placeOfRedirect } from "../../../domain/clients/redirect-uri.ts";
import { readLastChoice } from "../../../domain/grants/last-choice.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { type Html, html, htmlReply, page } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { BRAND, claimedName } from "./application-card.ts";
import type { AuthorizationError } from "./authorization-request.ts";
import { type ConsentContext, GUARD } from "./consent-page.ts";
import { returnAddress, returnError } from "./return-to-client.ts";

interface EarlyErrorWords {
  title: string;
  claims: string;
  returns: string;
  faults: Record<AuthorizationError["error"], string>;
  nothing: string;
  trust(place: Html): Html;
  back(place: Html): Html;
}

const WORDS: Words<EarlyErrorWords> = {
  en: {
    title: "The application sent a faulty request",
    claims: "The application calls itself",
    returns: "It wants to send you to",
    faults: {
      invalid_request: "Its request for access is incomplete or malformed.",
      unsupported_response_type: "It asks for access in a way that is not offered here.",
      invalid_scope: "It asks for no kind of access that exists here.",
      invalid_target: "It asks for access to another service.",
    },
    nothing: "Nothing was shared with it. You can close this page.",
    trust: (place) =>
      html`Continue only if you know this application and trust ${place}: the error is reported there.`,
    back: (place) => html`Continue to ${place}`,
  },
  "pt-BR": {
    title: "O aplicativo enviou uma solicitação com erro",
    claims: "O aplicativo se apresenta como",
    returns: "Ele quer levar você a",
    faults: {
      invalid_request: "O pedido de acesso está incompleto ou malformado.",
      unsupported_response_type: "Ele pede acesso de uma forma que não é oferecida aqui.",
      invalid_scope: "Ele não pede nenhum tipo de acesso que exista aqui.",
      invalid_target: "Ele pede acesso a outro serviço.",
    },
    nothing: "Nada foi compartilhado com ele. Você pode fechar esta página.",
    trust: (place) =>
      html`Continue somente se você conhece este aplicativo e confia em ${place}: o erro é informado lá.`,
    back: (place) => html`Continuar para ${place}`,
  },
};

/**
 * Reports an error that was found before the person was asked. Anyone can register an application, so it redirects at
 * once only if this person approved the application before; others get a page with a link (RFC 9700 4.11.2).
 */
export async function earlyError(
  service: Service,
  about: Omit<ConsentContext, "access">,
  error: AuthorizationError,
): Promise<Reply> {
  const { asked, locale } = about;
  const last = await perform(service, readLastChoice, about, { clientId: asked.client.id });
  if (last?.approved === true) return returnError(service, asked, error);
  const words = WORDS[locale];
  const place = html`<bdi>${placeOfRedirect(asked.redirectUri)}</bdi>`;
  const body = html`${GUARD}
<main class="card consent">
${BRAND}
<h1>${words.title}</h1>
<p class="error" role="alert">${words.faults[error.error]}</p>
<p class="quiet" lang="en">${error.error}: ${error.description}</p>
<dl class="facts who">
<dt>${words.returns}</dt>
<dd><strong class="place">${place}</strong></dd>
<dt>${words.claims}</dt>
<dd class="claim">${claimedName(asked.client.metadata.client_name, locale)}</dd>
</dl>
<p>${words.nothing}</p>
<p>${words.trust(place)}</p>
<div class="actions"><a class="button" data-guarded href="${returnAddress(service, asked, error)}" rel="noopener noreferrer nofollow">${words.back(place)}</a></div>
</main>`;
  return htmlReply(400, page({ title: words.title, body, lang: locale }));
}
