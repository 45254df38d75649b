import type { Locale, Words } from "../../../core/locale.ts";
import { isVisible } from "../../../domain/clients/client-metadata.ts";
import { isDocumentAddress } from "../../../domain/clients/document-address.ts";
import { isLoopback, placeOfRedirect } from "../../../domain/clients/redirect-uri.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

interface CardWords {
  name: string;
  invisible: string;
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
    name: "It calls itself",
    invisible: "a name without visible characters",
    returns: "Returns you to",
    here: "an application on this device",
    page: "Identified by its page at",
    address: "It says its website is",
    logo: "Its logo, not shown",
    registered: `This application registered itself. Nobody has verified its name, logo or website. Continue only if
you trust the address that it returns you to.`,
    document: (host) => html`The name and logo come from this page. Nobody has verified them. Continue only if
you trust ${host} and the address that you are returned to.`,
  },
  "pt-BR": {
    name: "Ele se apresenta como",
    invisible: "um nome sem caracteres visíveis",
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

/** Leadgate's own mark, on top of pages that also show what an application says about itself. */
export const BRAND = html`<p class="brand"><img src="/assets/leadgate.svg" alt="" width="28" height="28">Leadgate</p>`;

/**
 * Returns a card about the application. All of it is self-declared, except the redirect URI's host and the host of its
 * document. They come first, so that neither a long name nor a long path of the document moves the redirect's host out
 * of sight.
 */
export function applicationCard({ client, redirectUri }: AuthorizationRequest, locale: Locale): Html {
  const words = WORDS[locale];
  const { client_name: name, client_uri: address, logo_uri: logo } = client.metadata;
  const document = isDocumentAddress(client.id) ? client.id : undefined;
  const host = document !== undefined && html`<bdi>${new URL(document).host}</bdi>`;
  return html`<dl class="facts who">
<dt>${words.returns}</dt>
<dd><strong class="place"><bdi>${placeOfRedirect(redirectUri)}</bdi></strong>${isLoopback(redirectUri) && html` <small>${words.here}</small>`}</dd>
${
  host &&
  html`<dt>${words.page}</dt>
<dd><strong>${host}</strong> <small><bdi>${document}</bdi></small></dd>`
}
<dt>${words.name}</dt>
<dd class="claim">${logo !== undefined && isLoadable(logo) && logoFrom(logo)}${claimedName(name, locale)}</dd>
${
  address !== undefined &&
  html`<dt>${words.address}</dt>
<dd>${website(address)}</dd>`
}
${
  logo !== undefined &&
  !isLoadable(logo) &&
  html`<dt>${words.logo}</dt>
<dd><bdi>${namesUser(logo) ? new URL(logo).host : logo}</bdi></dd>`
}
</dl>
<p class="unverified">${host ? words.document(host) : words.registered}</p>`;
}

/** Returns the name that an application gave itself, verbatim and apart from the text around it. */
export const claimedName = (name: string, locale: Locale): Html =>
  isVisible(name) ? html`<bdi>${name}</bdi>` : html`<em>${WORDS[locale].invisible}</em>`;

/** Returns a link to the website. A URL with user information is from before they were refused: its host as text. */
const website = (address: string): Html =>
  namesUser(address)
    ? html`<bdi>${new URL(address).host}</bdi>`
    : html`<a href="${address}" rel="noopener noreferrer nofollow" target="_blank"><bdi>${address}</bdi></a>`;

/** Returns the logo; the request for it reveals nothing about the page. */
const logoFrom = (logo: string): Html =>
  html`<img class="logo" src="${logo}" alt="" width="32" height="32" referrerpolicy="no-referrer">`;

const isLoadable = (logo: string): boolean => /^https:/i.test(logo) && !namesUser(logo);

/** Whether a URL has user information, which makes it look like one of another host. */
function namesUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username + password !== "" || /^https?:\/*[^/?#]*@/i.test(address);
}
