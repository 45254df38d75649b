import type { Locale, Words } from "../../../core/locale.ts";
import { isDocumentAddress } from "../../../domain/clients/document-address.ts";
import { isLoopback, placeOfRedirect } from "../../../domain/clients/redirect-uri.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

interface CardWords {
  returns: string;
  here: string;
  page: string;
  address: string;
  logo: string;
  registered: string;
  document(host: Html): Html;
}

const WORDS: Words<CardWords> = {
  en: {
    returns: "Returns you to",
    here: "an application on this device",
    page: "Identified by its page at",
    address: "Its website, according to the application",
    logo: "Its logo, not shown",
    registered: `This application registered itself. Nobody has verified its name, logo or website. Continue only if
you trust the address that it returns you to.`,
    document: (host) => html`The name and logo come from this page. Nobody has verified them. Continue only if
you trust ${host} and the address that you are returned to.`,
  },
  "pt-BR": {
    returns: "Leva você de volta a",
    here: "um aplicativo neste dispositivo",
    page: "Identificado pela página em",
    address: "O site que ele informa",
    logo: "O logotipo, não exibido",
    registered: `Este aplicativo se registrou por conta própria. Ninguém verificou o nome, o logotipo ou o site. Continue
somente se você confia no endereço para onde ele leva você de volta.`,
    document: (host) => html`O nome e o logotipo vêm dessa página. Ninguém os verificou. Continue
somente se você confia em ${host} e no endereço para onde será levado de volta.`,
  },
};

/**
 * Returns a card about the application. All of it is self-declared, except the redirect URI's host and the
 * host of its document.
 */
export function applicationCard({ client, redirectUri }: AuthorizationRequest, locale: Locale): Html {
  const words = WORDS[locale];
  const { client_uri: address, logo_uri: logo } = client.metadata;
  const document = isDocumentAddress(client.id) ? client.id : undefined;
  const host = document !== undefined && html`<bdi>${new URL(document).host}</bdi>`;
  const place = placeOfRedirect(redirectUri);
  return html`<dl class="facts who">
${
  host &&
  html`<dt>${words.page}</dt>
<dd><strong>${host}</strong> <small><bdi>${document}</bdi></small></dd>`
}
<dt>${words.returns}</dt>
<dd><strong class="place"><bdi>${place}</bdi></strong>${isLoopback(redirectUri) && html` <small>${words.here}</small>`}</dd>
${
  address !== undefined &&
  html`<dt>${words.address}</dt>
<dd><a href="${address}" rel="noopener noreferrer nofollow" target="_blank"><bdi>${address}</bdi></a></dd>`
}
${
  logo !== undefined &&
  !isLoadable(logo) &&
  html`<dt>${words.logo}</dt>
<dd><bdi>${logo}</bdi></dd>`
}
</dl>
<p class="unverified">${host ? words.document(host) : words.registered}</p>`;
}

const isLoadable = (logo: string): boolean => /^https:/i.test(logo);

/** Returns the application's logo, if it is on https; the request for it reveals nothing about the page. */
export function logoOf({ client }: AuthorizationRequest): Html | false {
  const logo = client.metadata.logo_uri;
  return (
    logo !== undefined &&
    isLoadable(logo) &&
    html`<img class="logo" src="${logo}" alt="" width="64" height="64" referrerpolicy="no-referrer">`
  );
}
